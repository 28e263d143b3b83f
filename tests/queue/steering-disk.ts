/** A disk with turns that take several steps, so that messages can be sent in the middle of one. */
import { STEERING_HEAD } from '#agent/prompt/context';
import type { HistoryMessage, ModelRequest } from '#ports/model-provider';
import { testClock } from '../builders/fake-clock';
import {
  answers,
  call,
  isAside,
  says,
  thinkingModel,
  type ScriptedModel,
} from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { eventsOn, makeRig, type Disk, type Posted, type Rig } from './app-on-disk';

export interface SteeringDisk extends Disk {
  readonly model: ScriptedModel & { stream: ScriptedModel['stream'] };
  readonly posted: Map<string, Posted>;
  /** Called before a note is created, which is in the middle of a step. */
  during(path: string): Promise<unknown>;
}

/**
 * A request `Write 3 a` writes `a1.md` to `a3.md`, one in each step; `Write 3 a and ask` asks in the
 * second one, and `Write 3 a and end` calls `done` in the last one. `Clean up b` deletes `b.md`, which needs an approval. Any other request is answered at
 * once.
 */
export function steeringDisk(
  settings: Disk['settings'] = {},
  notes: Readonly<Record<string, string>> = {},
): SteeringDisk {
  const vault = tinyVault(notes);
  const disk = {
    ...{ store: memoryStore(), vault, clock: testClock(), settings },
    posted: new Map<string, Posted>(),
    model: thinkingModel(nextStep),
    during: async (_path: string): Promise<unknown> => undefined,
  };
  const { create } = vault;
  vault.create = async (path, text) => {
    await disk.during(path);
    return create(path, text);
  };
  return disk;
}

function nextStep(request: ModelRequest) {
  if (isAside(request)) return says('Aside.');
  const { history } = request;
  const start = history.findLastIndex((each) => each.role === 'user' && !isSteering(each));
  const first = history[start];
  const said = first?.role === 'user' ? (first.texts.at(-1) ?? '') : '';
  const [, count = '0', name = ''] = /^Write (\d+) (\w+)/.exec(said) ?? [];
  const [, deleted] = /^Clean up (\w+)/.exec(said) ?? [];
  if (deleted !== undefined && history.at(-1)?.role === 'user') {
    const wireId = `w-${deleted}-${history.length}`;
    return answers([call('delete', { path: `${deleted}.md` }, { wireId })]);
  }
  const taken = history.slice(start).filter(({ role }) => role === 'results').length;
  if (taken >= Number(count)) return says(`Finished: ${said}`);
  const path = `${name}${taken + 1}.md`;
  const wireId = `w-${name}-${history.length}`;
  if (said.endsWith('ask') && taken === 1) {
    return answers([call('ask_user', { question: 'Which one?' }, { wireId })]);
  }
  const write = call('write_file', { path, content: 'Text.\n' }, { wireId });
  const isEnd = said.endsWith('end') && taken === Number(count) - 1;
  const end = call(
    'done',
    { summary: `Wrote ${path}.`, outcome: 'done' },
    { wireId: `${wireId}-d` },
  );
  return answers(isEnd ? [write, end] : [write]);
}

/** Whether the message joined a turn. */
export function isSteering(message: HistoryMessage): boolean {
  return message.role === 'user' && (message.texts[0]?.startsWith(STEERING_HEAD) ?? false);
}

export interface Running {
  readonly disk: SteeringDisk;
  readonly rig: Rig;
}

/** Runs a request, and `act` in the middle of the step that creates the note `path`. */
export async function running(
  text: string,
  path: string,
  act: (rig: Rig) => Promise<unknown>,
  disk = steeringDisk(),
): Promise<Running> {
  const rig = makeRig(disk);
  disk.during = async (created) => {
    if (created === path) await act(rig);
  };
  await rig.load();
  await rig.agent.queue.send({ text });
  await rig.idle();
  return { disk, rig };
}

/** The texts of the requests that began a turn, and of those that joined one, in order. */
export function begun(disk: Disk): string[] {
  return eventsOn(disk, 'turn-start').map(({ request }) => request.text);
}

export function joined(disk: Disk): string[] {
  return eventsOn(disk, 'steer-join').map(({ request }) => request.text);
}

export function ends(disk: Disk): string[] {
  return eventsOn(disk, 'turn-end').map(({ end }) => end.kind);
}
