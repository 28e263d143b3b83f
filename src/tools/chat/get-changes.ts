import { changeText } from '#messages/change-words';
import { counted } from '#messages/plural';
import type { TurnId } from '#model/ids';
import type { UserRequest } from '#model/request';
import { capitalize, shorten } from '#text/shorten';
import { isWithin, parsePath, quote } from '#text/paths';
import * as z from 'zod/mini';
import { changedLineTexts } from '../editor/edit/diff-text';
import type { OwnChange, OwnChangeState, OwnEditState } from '../own-changes';
import { pageOf } from '../pages';
import { timePoint, timeRange } from '../time-range';
import { defineTool, listResult, problem, type ToolContext } from '../tool';

const input = z.strictObject({
  since: timePoint.check(z.describe('Such as "today", "yesterday 18:00", "2026-11-22".')),
  until: timePoint,
  path: z.optional(z.string()).check(z.describe('A note or folder.')),
  chat: z.optional(z.string()),
  request: z.optional(z.string()),
  page: z.optional(z.int().check(z.minimum(1))),
});

type Query = z.infer<typeof input>;

const PAGE_SIZE = 40;
const MAX_REQUEST_CHARS = 80;

export const getChanges = defineTool<Query>({
  name: 'get_changes',
  version: 1,
  agent: 'conversation',
  effect: 'read',
  permission: 'allow',
  description:
    'Lists your own changes in all chats, newest first, by request, with ids, what became of them, and the lines of small ones.',
  input,
  example: { since: 'today' },
  async run(query, context) {
    const { vault, changes, clock } = context;
    const folder = query.path === undefined ? null : await placeOf(query.path, context);
    if (folder && !folder.ok) return problem(folder.reason, folder.kind);
    const all = await changes.list();
    const { from, to } = timeRange(query, clock);
    const sees = await vault.seeing();
    const found = all.filter((change) => {
      const { time, origin, note, now } = change;
      const paths = [note.path, note.to ?? note.path, now ?? note.path].filter(sees);
      return (
        time >= from &&
        time < to &&
        (folder === null || paths.some((each) => isIn(each, folder.path))) &&
        (query.chat === undefined || origin.conversation === query.chat) &&
        (query.request === undefined || origin.turn === query.request)
      );
    });
    if (found.length === 0) {
      const { path } = query;
      return path === undefined
        ? listResult(nothing(all), 'change', 0)
        : problem(`No change of yours is of ${quote(path)} and fits. ${nothing(all)}`, 'other');
    }
    const page = pageOf(found, { limit: PAGE_SIZE, page: query.page });
    const lines = await inLines(page.shown, context);
    const rows = [
      `${counted(found.length, 'change')} of yours, newest first${page.where}, by request. Change ids begin the lines.`,
      ...lines,
      ...page.more('changes'),
    ];
    const items = page.shown.map(({ note, now }) => ({
      path: now ?? note.to ?? note.path,
      text: capitalize(changeText(note)),
    }));
    return listResult(
      rows.join('\n'),
      'change',
      found.length,
      items.filter(({ path }) => sees(path)),
    );
  },
});

async function placeOf(raw: string, { vault }: ToolContext) {
  const parsed = parsePath(raw);
  if (!parsed.ok) return { ok: false, reason: parsed.reason, kind: 'bad-name' } as const;
  const refusal = await vault.refusalOfPlace(parsed.path);
  if (refusal !== null) return { ok: false, reason: refusal, kind: 'not-allowed' } as const;
  return { ok: true, path: parsed.path } as const;
}

/** Whether a path is this file, with or without `.md`, or in this folder. */
function isIn(path: string, wanted: string): boolean {
  const [one, other] = [path, wanted].map((each) => each.normalize('NFC').toLowerCase());
  return other === '' || isWithin(one!, other!) || one === `${other}.md`;
}

function nothing(all: readonly OwnChange[]): string {
  return all.length === 0
    ? 'You have changed nothing on this device yet.'
    : `None of your ${counted(all.length, 'change')} fits. Leave out a condition, or name a whole folder.`;
}

async function inLines(
  shown: readonly OwnChange[],
  { history, clock, changes }: ToolContext,
): Promise<string[]> {
  const requests = await requestsOf(shown, history);
  const texts = await changes.texts(shown.filter(isSmall));
  const lines: string[] = [];
  let last: OwnChange | null = null;
  for (const change of shown) {
    const { time, origin } = change;
    if (last?.origin.turn !== origin.turn) {
      const request = requests.get(origin.turn);
      const words = request ? quote(shorten(request.text, MAX_REQUEST_CHARS)) : 'of a deleted chat';
      const when = clock.describe(request?.time ?? time);
      lines.push(`${origin.turn} ${words} (chat ${origin.conversation}), ${when}:`);
    }
    lines.push(inLine(change));
    const text = texts.get(change.note.change);
    if (text) {
      const rows = changedLineTexts(text.before, text.after).slice(0, 2 * MAX_SMALL_LINES);
      lines.push(...rows.map((row) => `    ${row}`));
    }
    last = change;
  }
  return lines;
}

/** Most lines that go, and that come, for a change to show them. */
const MAX_SMALL_LINES = 2;

function isSmall({ note: { added, removed } }: OwnChange): boolean {
  return added <= MAX_SMALL_LINES && removed <= MAX_SMALL_LINES;
}

/** The requests that made the changes; without those of chats that are gone. */
async function requestsOf(
  shown: readonly OwnChange[],
  history: ToolContext['history'],
): Promise<ReadonlyMap<TurnId | null, UserRequest>> {
  const found = new Map<TurnId | null, UserRequest>();
  for (const id of new Set(shown.map(({ origin }) => origin.conversation))) {
    const chat = await history.read(id).catch(() => null);
    for (const turn of chat?.turns ?? []) found.set(turn.id, turn.request);
  }
  return found;
}

const STATES = {
  made: '',
  undone: 'undone by you',
  'undone by the user': 'undone by the user',
  unknown: 'perhaps not done',
} as const;

const EDIT_STATES: Record<OwnEditState, string> = {
  waits: 'waits for the user',
  accepted: 'accepted',
  amended: 'accepted as the user rewrote it',
  rejected: 'rejected',
  'decided in part': 'decided in part',
  withdrawn: 'taken back by a later change',
  removed: 'removed from the note by hand',
};

function stateText(state: OwnChangeState): string {
  if (typeof state === 'string') return STATES[state];
  const counts = new Map<OwnEditState, number>();
  for (const each of state) counts.set(each, (counts.get(each) ?? 0) + 1);
  const isSame = counts.size === 1;
  return Array.from(
    counts,
    ([each, count]) => `${isSame ? '' : `${count} `}${EDIT_STATES[each]}`,
  ).join(', ');
}

function inLine({ note, now, time, state }: OwnChange): string {
  const became = stateText(state);
  const facts = [...(became === '' ? [] : [became]), ...(now === null ? [] : [`now ${now}`])];
  const more = facts.length === 0 ? '' : `; ${facts.join('; ')}`;
  return `  ${note.change} ${timeOfDay(time)} ${capitalize(changeText(note))}${more}`;
}

function timeOfDay(time: number): string {
  return new Date(time).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}
