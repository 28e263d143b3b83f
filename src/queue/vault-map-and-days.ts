/**
 * What the model learns when a conversation begins (a map of the vault, its budget, the conversation
 * before) and when one goes on on another day (the days around it, the daily note).
 */
import type { Conversations } from '#conversations/repository';
import type { Conversation } from '#model/conversation';
import type { ConversationId } from '#model/ids';
import { isSpoken, type UserRequest } from '#model/request';
import type { Settings } from '#model/settings';
import type { DailyNote } from '#ports/metadata';
import type { Clock } from '#ports/clock';
import { forEachInSlices } from '#ports/slices';
import type { ToolContext } from '#tools/tool';
import { lineTexts } from '#text/list-diff';
import { headingsIn } from '#text/note-structure';
import { folderOf, isNote, noteName, quote } from '#text/paths';
import { clip, oneLine } from '#text/shorten';

export interface OpeningDeps {
  readonly vault: ToolContext['vault'];
  readonly conversations: Pick<Conversations, 'list'>;
  readonly clock: Clock;
  readonly settings: Settings;
}

/**
 * Lines for the first message of a conversation, or of a day; empty for all others.
 *
 * @param conversation null for one that does not exist yet
 */
export async function openingLines(
  conversation: Conversation | null,
  deps: OpeningDeps,
): Promise<string[]> {
  const { vault, clock, settings } = deps;
  const last = conversation?.turns.at(-1);
  if (last) {
    return clock.date(last.started) === clock.date(clock.now()) ? [] : dayLines(deps);
  }
  const tokens = settings.tokensPerTurn.toLocaleString('en');
  const lines = await Promise.all([
    dayLines(deps),
    vaultMap(vault, clock),
    previousConversation(conversation?.id, deps),
  ]);
  return [
    ...lines.flat(),
    `Budget of a turn, which is your answer to one request: ${settings.stepsPerTurn} steps (each with any number of calls), ${tokens} tokens (output, and input that is not cached).`,
  ];
}

/** About 300 tokens. */
const MAX_MAP_CHARS = 1_200;

/** All notes by folder if that is short, otherwise the top folders with their numbers of notes. */
async function vaultMap(vault: OpeningDeps['vault'], clock: Clock): Promise<string[]> {
  const byFolder = new Map<string, string[]>();
  const byTop = new Map<string, number>();
  let notes = 0;
  await forEachInSlices(
    (await vault.listing()).newestFirst,
    { clock, signal: NEVER },
    ({ path }) => {
      if (!isNote(path)) return;
      notes += 1;
      const names = byFolder.get(folderOf(path)) ?? [];
      names.push(noteName(path));
      byFolder.set(folderOf(path), names);
      const top = path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
      byTop.set(top, (byTop.get(top) ?? 0) + 1);
    },
  );
  if (notes === 0) return ['The vault has no notes yet.'];
  const rows = [...byFolder].sort(([a], [b]) => (a < b ? -1 : 1));
  const all = rows.map(([folder, names]) => `  ${label(folder)}: ${names.join(', ')}`);
  if (all.join('\n').length <= MAX_MAP_CHARS) {
    return [`All notes of the vault, by folder, newest first:`, ...all];
  }
  const folders = [...byTop]
    .sort(([, a], [, b]) => b - a)
    .map(([folder, count]) => `${label(folder)} ${count.toLocaleString('en')}`);
  let shown = folders.length;
  while (folders.slice(0, shown).join(', ').length > MAX_MAP_CHARS) shown -= 1;
  const more = folders.length > shown ? `, and ${folders.length - shown} smaller folders` : '';
  return [
    `The vault has ${notes.toLocaleString('en')} notes, by top folder: ${folders.slice(0, shown).join(', ')}${more}.`,
  ];
}

function label(folder: string): string {
  return folder === '' ? '(root)' : `${folder}/`;
}

const NEVER = new AbortController().signal;

const RECENT_HOURS = 6;
const HOUR_MS = 3_600_000;

async function previousConversation(
  id: ConversationId | undefined,
  { conversations, clock }: OpeningDeps,
): Promise<string[]> {
  const all = await conversations.list().catch(() => []);
  // Another chat at work has not ended.
  const last = all.findLast(
    (each) => each.id !== id && each.own && each.quickEditsOf === null && each.openTurn === null,
  );
  if (!last || clock.now() - last.updated > RECENT_HOURS * HOUR_MS) return [];
  const ago = agoText(clock.now() - last.updated);
  return [`The conversation before this one ended ${ago}: ${quote(last.title)}, id ${last.id}.`];
}

function agoText(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  return minutes < 60 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`;
}

/** Long enough for "the one from yesterday". */
const SPOKEN_HOURS = 48;
const MAX_SPOKEN_CHARS = 400;

/**
 * The last spoken request and its answer, for a spoken request in a conversation that does not have
 * them: after a pause the user still speaks of them ("make that two kilos").
 */
export async function lastSpokenExchange(
  { source }: Pick<UserRequest, 'source'>,
  { id, turns }: Conversation,
  { conversations, clock }: SpokenExchangeDeps,
): Promise<string[]> {
  if (!isSpoken(source) || turns.some(({ request }) => isSpoken(request.source))) return [];
  const since = clock.now() - SPOKEN_HOURS * HOUR_MS;
  const other = await conversations.lastSpoken(since).catch(() => null);
  if (other === null || other === id) return [];
  const log = await conversations.open(other).catch(() => null);
  const last = log?.state.turns.findLast(
    (turn) => turn.end !== null && isSpoken(turn.request.source),
  );
  if (!last?.end) return [];
  const words = (text: string) => JSON.stringify(clip(oneLine(text), MAX_SPOKEN_CHARS));
  const ago = agoText(clock.now() - last.started);
  return [
    `Last spoken exchange, ${ago}, in the conversation ${other}: the user said ${words(last.request.text)}, you answered ${words(last.end.reply)}.`,
  ];
}

export interface SpokenExchangeDeps {
  readonly conversations: Pick<Conversations, 'lastSpoken' | 'open'>;
  readonly clock: Clock;
}

async function dayLines({ vault, clock }: OpeningDeps): Promise<string[]> {
  const now = clock.now();
  const note = await vault.dailyNote(now);
  if (note === null) return [`Days: ${days(now)}.`];
  return [`Days: ${days(now)}.`, dailyNoteLine(note, await headingsOf(note, vault))];
}

/** This week and the next, from Monday, with weekdays. */
function days(now: number): string {
  const today = new Date(now);
  const monday = today.getDate() - ((today.getDay() + 6) % 7);
  return Array.from({ length: 14 }, (_, at) => {
    const day = new Date(today.getFullYear(), today.getMonth(), monday + at);
    const weekday = day.toLocaleDateString('en', { weekday: 'short' });
    const isNamed = at === 0 || day.getDate() === 1;
    const date = isNamed ? day.toLocaleDateString('sv') : String(day.getDate());
    return `${weekday} ${date}${day.getDate() === today.getDate() && at < 7 ? ' (today)' : ''}`;
  }).join(', ');
}

function dailyNoteLine({ path, exists, template }: DailyNote, headings: readonly string[]): string {
  const parts = [
    exists ? 'exists' : 'does not exist yet',
    ...(exists || template === null ? [] : [`make it with apply_template from ${template}`]),
    ...(headings.length === 0 ? [] : [`headings: ${headings.join(', ')}`]),
  ];
  return `Today's daily note: ${path} (${parts.join('; ')}).`;
}

const MAX_HEADINGS = 8;
const MAX_HEADING_CHARS = 40;

/** The headings of the daily note, or those that its template gives it. */
async function headingsOf(
  { path, exists, template }: DailyNote,
  vault: OpeningDeps['vault'],
): Promise<string[]> {
  const from = exists ? path : template;
  const found = from === null ? null : await vault.find(from, 'file');
  const read = found?.ok ? await vault.read(found.value.entry.path) : null;
  if (!read?.ok) return [];
  return headingsIn(lineTexts(read.value.text))
    .filter(({ text }) => text !== '' && !text.includes('{{'))
    .slice(0, MAX_HEADINGS)
    .map(({ level, text }) => clip(`${'#'.repeat(level)} ${text}`, MAX_HEADING_CHARS));
}
