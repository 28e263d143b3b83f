/** Registers the blocks of notes as edits that this device has proposed for them. */
import { CHANGE_LOG_VERSION, type ChangeLogLine } from '#edits/change-log-files';
import type { ChangeLog } from '#edits/change-log';
import { ANY_DEVICE, readEdits, textsOf } from '#model/edit/note-edits';
import type { Change } from '#model/change';
import type { DeviceId, ProposalId } from '#model/ids';
import { change } from '../edits/changes';

/** The change that proposed the blocks of a note, or those with these ids. */
export function proposingChange(path: string, text: string, ids?: readonly string[]): Change {
  const edits = readEdits(text, ANY_DEVICE);
  const found = edits.parts.flatMap(({ edit }) => edit?.block.id ?? []);
  const proposes = (ids ?? [...new Set(found)]) as readonly ProposalId[];
  const effect = { kind: 'write', path, before: textsOf(edits).before, after: text } as const;
  return change({ ...effect, proposes }, { id: `proposing-${path}`, call: `call-${path}` });
}

/** Lets a change log know the blocks of a note, or those with these ids. */
export async function registerEdits(
  changeLog: ChangeLog,
  path: string,
  text: string,
  ids?: readonly string[],
): Promise<void> {
  const proposing = proposingChange(path, text, ids);
  await changeLog.intend(proposing);
  await changeLog.setFate(proposing.id, 'done');
}

/** The file of a change log that knows the blocks of these notes. */
export function changeLogKnowing(
  device: DeviceId,
  notes: Readonly<Record<string, string>>,
): string {
  const start: ChangeLogLine = { type: 'ledger-start', version: CHANGE_LOG_VERSION, device };
  const lines = Object.entries(notes).flatMap(([path, text]): ChangeLogLine[] => {
    const { origin, ...proposing } = proposingChange(path, text);
    const own = { ...proposing, origin: { ...origin, device } };
    return [
      { type: 'change', change: own },
      { type: 'fate', change: proposing.id, fate: 'done' },
    ];
  });
  return [start, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}
