/** A conversation as a list of messages, and its summary for lists and filters. */
import { capitalize, shorten, oneLine } from '#text/shorten';
import {
  allCalls,
  type Conversation,
  stepText,
  type Turn,
  turnState,
  type UserAction,
  validSteps,
} from './conversation';
import type { ChangeId, ConversationId } from './ids';
import type { Interaction, Resolution } from './interaction';
import type { ChangeNote } from './message';
import { plainText } from '#text/plain-text';
import { isSpoken, type RequestSource } from './request';

export interface Message {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly role: 'user' | 'agent';
  readonly text: string;
  /**
   * Source of the user's message; for an agent's message, source of the request that it answers.
   */
  readonly source: RequestSource;
  /** Names without duplicates, in the order of the first call. */
  readonly tools: readonly string[];
  readonly model: string | null;
  readonly activeNote: string | null;
}

export function messagesOf(conversation: Conversation): Message[] {
  return conversation.turns.flatMap(messagesOfTurn);
}

export function messagesOfTurn(turn: Turn): Message[] {
  const { request, activeNote, model } = turn;
  const user = { role: 'user', tools: [], model: null, activeNote } as const;
  const agent = { role: 'agent', source: request.source, model, activeNote } as const;
  const messages: Message[] = [
    { ...user, id: turn.message, time: request.time, text: request.text, source: request.source },
    ...exchangesIn(turn).flatMap(({ id, asked, text, decided }) => [
      { ...agent, id, time: asked, text, tools: [] },
      ...(decided ? [{ ...user, id: `${id}.answer`, ...decided, source: 'typed' as const }] : []),
    ]),
    ...[...turn.answers, ...turn.steering].map(({ message, time, text, source }) => ({
      ...user,
      id: message,
      time,
      text,
      source,
    })),
  ];
  for (const step of validSteps(turn)) {
    for (const call of step.calls) {
      if (call.state !== 'finished' || call.result.details?.kind !== 'message') continue;
      messages.push({
        ...agent,
        id: call.id,
        time: call.ended,
        text: call.result.details.text,
        tools: [],
      });
    }
  }
  const text = turn.end ? turn.end.reply : validSteps(turn).map(stepText).filter(Boolean).at(-1);
  if (text && (turn.end || messages.every((message) => message.text !== text))) {
    const tools = [
      ...new Set(validSteps(turn).flatMap(({ calls }) => calls.map(({ part }) => part.name))),
    ];
    messages.push({
      ...agent,
      id: `${turn.id}.reply`,
      time: turn.ended ?? turn.started,
      text,
      tools,
    });
  }
  return messages.sort((a, b) => a.time - b.time);
}

/** A question or approval, and what the user decided by a click. */
interface Exchange {
  readonly id: string;
  readonly asked: number;
  readonly text: string;
  /** Null if it is open, or if a message of the user's decided it. */
  readonly decided: { readonly text: string; readonly time: number } | null;
}

function exchangesIn(turn: Turn): Exchange[] {
  return validSteps(turn).flatMap(({ index, calls, asked }) => {
    const places = [...calls, ...(asked ? [{ ...asked, id: `${turn.id}.${index}` }] : [])];
    return places.flatMap((place): Exchange[] => {
      const { id } = place;
      if (place.state === 'asking') return [exchangeOf(id, place.interaction, null)];
      const resolved = 'resolved' in place ? place.resolved : null;
      if (!resolved) return [];
      const { interaction, resolution, time } = resolved;
      const isByMessage = turn.answers.some(({ decides }) => decides === interaction.id);
      const text = isByMessage ? null : clickedText(resolution);
      return [exchangeOf(id, interaction, text === null ? null : { text, time })];
    });
  });
}

function exchangeOf(id: string, interaction: Interaction, decided: Exchange['decided']): Exchange {
  return { id: `${id}.asks`, asked: interaction.asked, text: questionText(interaction), decided };
}

/** A question with its choices, or what an approval asks. */
export function questionText(interaction: Interaction): string {
  if (interaction.kind === 'approval') return interaction.title;
  return [interaction.text, ...interaction.choices.map((choice) => `- ${choice}`)].join('\n');
}

/** What the user decided without a message; null for all others. */
export function clickedText(resolution: Resolution): string | null {
  if (resolution.kind === 'answer') return resolution.via === 'click' ? resolution.text : null;
  if (resolution.kind !== 'choice' || resolution.via !== undefined) return null;
  const { choice, reason } = resolution;
  const chosen = capitalize(choice.replace('-', ' '));
  return reason ? `${chosen}: ${reason}` : chosen;
}

export type ConversationSummary = Pick<
  Conversation,
  | 'id'
  | 'device'
  | 'title'
  | 'titledBy'
  | 'quickEditsOf'
  | 'summary'
  | 'started'
  | 'updated'
  | 'ended'
  | 'endReason'
  | 'pinned'
  | 'archived'
  | 'forks'
> & {
  /**
   * Time of the last message through SmartHole, in milliseconds since 1970; null if there is none.
   */
  readonly lastSpoken: number | null;
  /** Sources of the user's messages, without duplicates. */
  readonly sources: readonly RequestSource[];
  readonly messages: number;
  /** Names of the tools called, without duplicates. */
  readonly tools: readonly string[];
  /** Paths of the changed notes, without duplicates; both paths of a moved one. */
  readonly notes: readonly string[];
  /** Number of notes with changes that are not undone; an edit is one once it is accepted. */
  readonly changed: number;
  /** Set if it has changed notes and all of that is undone. */
  readonly isUndone?: true;
  /** The last answer as one short plain line; empty if there is none. */
  readonly preview: string;
  /** State of the open turn; null if none is open. */
  readonly openTurn: OpenTurn | null;
};

export type OpenTurn = 'running' | 'waiting' | 'paused';

/** Whether the conversation contains only calls of an MCP client, or was created for them. */
export function isFromMcpClient({
  sources,
  titledBy,
}: Pick<ConversationSummary, 'sources' | 'titledBy'>): boolean {
  return sources.length === 0 ? titledBy === 'client' : sources.every((each) => each === 'mcp');
}

/**
 * The open turn of a chat of this device, as the UI shows it. A call of an MCP client is of interest only if it
 * waits for the user.
 */
export function openWork(
  chat: Pick<ConversationSummary, 'openTurn' | 'sources' | 'titledBy'> & { readonly own: boolean },
): OpenTurn | null {
  if (!chat.own) return null;
  return chat.openTurn !== 'waiting' && isFromMcpClient(chat) ? null : chat.openTurn;
}

export function summaryOf(conversation: Conversation): ConversationSummary {
  const { id, device, title, titledBy, quickEditsOf, summary, started, updated } = conversation;
  const { ended, endReason, pinned, archived, forks } = conversation;
  const tally = tallyOf(conversation.turns);
  const { messages, lastSpoken, sources, tools, notes, changes, openTurn } = tally;
  const undone = undoneChanges(conversation.userActions);
  const remaining = changes.filter(({ change }) => !undone.has(change));
  const taken = acceptedEdits(conversation.userActions, undone);
  const changed = changedNotes(
    remaining.filter(({ proposes }) => proposes?.some((id) => taken.has(id)) ?? true),
  ).size;
  return {
    id,
    device,
    title,
    titledBy,
    quickEditsOf,
    summary,
    started,
    updated,
    ended,
    endReason,
    pinned,
    archived,
    forks,
    lastSpoken,
    messages,
    openTurn,
    sources: [...sources],
    tools: [...tools],
    notes: [...notes],
    changed,
    ...(changes.length > 0 && remaining.length === 0 ? { isUndone: true } : {}),
    preview: previewOf(conversation.turns),
  };
}

/** Current paths of the changed notes. */
function changedNotes(changes: readonly ChangeNote[]): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const { path, to = path } of changes) {
    paths.delete(path);
    paths.add(to);
  }
  return paths;
}

/**
 * The changes that are undone, as far as the conversation tells: an undo that has left something
 * counts for none.
 */
function undoneChanges(userActions: readonly UserAction[]): ReadonlySet<ChangeId> {
  const undone = new Set<ChangeId>();
  // A later undo decides whether an earlier one is in effect.
  for (const act of userActions.toReversed()) {
    if (act.type !== 'change-undo' || act.left.length > 0) continue;
    if (act.undos.some((id) => !undone.has(id))) for (const id of act.changes) undone.add(id);
  }
  return undone;
}

/** The edits of which the user has accepted all or a part. */
function acceptedEdits(
  userActions: readonly UserAction[],
  undone: ReadonlySet<ChangeId>,
): ReadonlySet<string> {
  const decided = userActions.flatMap((act) =>
    act.type === 'edits-decide' && !undone.has(act.change) ? act.decisions : [],
  );
  return new Set(
    decided.flatMap(({ choice, proposal }) =>
      choice === 'accept' || choice === 'amend' ? proposal : [],
    ),
  );
}

const MAX_PREVIEW_CHARS = 160;

function previewOf(turns: readonly Turn[]): string {
  const reply = turns.findLast(({ end }) => end && end.reply !== '')?.end?.reply ?? '';
  return shorten(oneLine(plainText(reply)), MAX_PREVIEW_CHARS);
}

interface Tally {
  messages: number;
  lastSpoken: number | null;
  openTurn: OpenTurn | null;
  readonly sources: Set<RequestSource>;
  readonly tools: Set<string>;
  readonly notes: Set<string>;
  readonly changes: ChangeNote[];
}

/**
 * Tally of the ended turns, cached by the first turn, so that a long conversation recounts only its
 * last turn.
 */
const counted = new WeakMap<Turn, { readonly turns: readonly Turn[]; readonly tally: Tally }>();

function tallyOf(turns: readonly Turn[]): Tally {
  const [first] = turns;
  const known = first && counted.get(first);
  const isStill = known?.turns.every((turn, at) => turn === turns[at]) ?? false;
  const settled = isStill && known ? known.tally : newTally();
  let at = isStill && known ? known.turns.length : 0;
  const before = at;
  for (let turn = turns[at]; turn?.end; turn = turns[at]) {
    add(settled, turn);
    at += 1;
  }
  if (first && at > before) counted.set(first, { turns: turns.slice(0, at), tally: settled });
  const tally = newTally(settled);
  for (const turn of turns.slice(at)) add(tally, turn);
  return tally;
}

function newTally(from?: Tally): Tally {
  return {
    messages: from?.messages ?? 0,
    lastSpoken: from?.lastSpoken ?? null,
    openTurn: null,
    sources: new Set(from?.sources),
    tools: new Set(from?.tools),
    notes: new Set(from?.notes),
    changes: [...(from?.changes ?? [])],
  };
}

function add(tally: Tally, turn: Turn): void {
  tally.messages += messagesOfTurn(turn).length;
  for (const { source, time } of [turn.request, ...turn.answers, ...turn.steering]) {
    tally.sources.add(source);
    if (isSpoken(source)) tally.lastSpoken = Math.max(tally.lastSpoken ?? 0, time);
  }
  for (const call of allCalls(turn)) {
    tally.tools.add(call.part.name);
    if (call.state !== 'finished' || call.result.details?.kind !== 'changes') continue;
    for (const change of call.result.details.changes) {
      tally.changes.push(change);
      tally.notes.add(change.path);
      if (change.to !== undefined) tally.notes.add(change.to);
    }
  }
  const state = turnState(turn);
  if (state === 'running' || state === 'waiting' || state === 'paused') tally.openTurn = state;
}

/** `null` matches everything. */
export interface ConversationFilter {
  /** `waiting`: waits for the user; `edits`: has pending edits. */
  readonly state: 'waiting' | 'edits' | 'archived' | 'deleted' | null;
  readonly source: RequestSource | null;
  /** Name of a tool that was called. */
  readonly tool: string | null;
  /** Path of a note that was changed. */
  readonly note: string | null;
}

export const NO_FILTER: ConversationFilter = { state: null, source: null, tool: null, note: null };

/** Edit data for filters that conversations do not contain themselves. */
export interface FilterEdits {
  /** Conversations with pending edits. */
  readonly edits: ReadonlyMap<ConversationId, unknown>;
  /** Conversations that changed the filter's note, under any name it had at the time. */
  readonly touched: ReadonlySet<ConversationId>;
}

export function filterCount(filter: ConversationFilter): number {
  return Object.values(filter).filter((each) => each !== null).length;
}

export function matchesFilter(
  { id, sources, tools, notes, openTurn, archived }: ConversationSummary,
  { state, source, tool, note }: ConversationFilter,
  { edits, touched }: FilterEdits,
): boolean {
  if (source !== null && !sources.includes(source)) return false;
  if (tool !== null && !tools.includes(tool)) return false;
  if (note !== null && !touched.has(id) && !notes.includes(note)) return false;
  switch (state) {
    case 'waiting':
      return openTurn === 'waiting';
    case 'edits':
      return edits.has(id);
    case 'archived':
      return archived;
    default:
      return true;
  }
}
