/** A fake agent that emits the events of scripts and records every call in `asked`. */
import type { SmartHoleStatus } from '#model/smarthole-status';
import type { Attachment } from '#model/attachment';
import { readOnly } from '#messages/quick-edit-messages';
import { summaryOf, messagesOf } from '#model/conversation-summary';
import { allCalls, openInteractions, turnState, type Conversation } from '#model/conversation';
import type { Event } from '#model/event';
import { emptyConversation, reduce, reduceAll } from '#model/reducer';
import type { QueuedRequest, UserRequest } from '#model/request';
import { applySettings } from '#model/settings-validation';
import {
  DEFAULT_ROUTING_DESCRIPTION,
  DEFAULT_VAULT_ORGANIZATION,
  DEFAULT_SETTINGS,
  type Settings,
} from '#model/settings';
import type { Passage } from '#model/passage';
import type { PassageCheck } from '#model/passage-check';
import { pendingSettings, settingsInForce, type PendingSetting } from '#model/settings-in-force';
import type { Agent, DayUsage } from '#ports/app/agent';
import type { ConnectionCheck } from '#ports/app/settings-port';
import type { CheckedSource } from '#ports/app/sources-port';
import type { SearchHit } from '#ports/app/conversations-port';
import type { ChangeId, ConversationId, DeviceId, ProposalId, RequestId } from '#model/ids';
import { Script } from './script';
import {
  scriptedComposing,
  type ScriptedComposing,
  type ScriptedVault,
} from './scripted-composing';
import { scriptedEdits, type Reviewed, type ScriptedEdits } from './scripted-edits';

const HAIKU_PRICE = { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 };

const DEVICE = 'device-1' as DeviceId;

export interface ScriptedAgent extends Agent {
  readonly composer: ScriptedComposing;
  /** Recorded calls, each with its arguments. */
  readonly asked: [verb: string, ...given: unknown[]][];
  readonly scripts: Script[];
  entries: QueuedRequest[];
  problems: string[];
  pending: readonly PendingSetting[];
  verdict: ConnectionCheck;
  add(script: Script): void;
  /** Sets the SmartHole status and notifies listeners. */
  connect(state: SmartHoleStatus): void;
  setEntries(entries: readonly QueuedRequest[]): void;
  /** Pending edits and the history of notes. */
  readonly reviewed: ScriptedEdits;
  /** What the passages are today, by their keys; the others are unchanged. */
  readonly checks: Map<string, PassageCheck>;
  /** What a note has in its footnotes. */
  readonly saved: CheckedSource[];
}

function pendingIn(own: Settings, saved: Settings): readonly PendingSetting[] {
  return pendingSettings(settingsInForce(own, saved), saved);
}

export function scriptedAgent(
  scripts: readonly Script[],
  options: {
    settings?: Partial<Settings>;
    /** Settings that another device has saved. */
    incoming?: Partial<Settings>;
    entries?: readonly QueuedRequest[];
    stuck?: readonly RequestId[];
    connection?: SmartHoleStatus;
    reviewed?: Reviewed;
    usage?: readonly DayUsage[];
    vault?: ScriptedVault;
  } = {},
): ScriptedAgent {
  const listeners = new Set<(event: Event, conversation: Conversation) => void>();
  const states = new Map<ConversationId, Conversation>();
  const watchers = new Set<() => void>();
  const connected = new Set<(state: SmartHoleStatus) => void>();
  let connection: SmartHoleStatus = options.connection ?? { kind: 'off' };
  let settings: Settings = { ...DEFAULT_SETTINGS, ...options.settings };
  const conversationOf = (script: Script) =>
    states.get(script.id) ?? reduceAll(script.id, script.events);
  const removed = new Set<ConversationId>();
  const all = () => agent.scripts.map(conversationOf);
  const shown = () => all().filter(({ id }) => !removed.has(id));
  const lined = (each: Conversation) => ({ ...summaryOf(each), own: each.device === DEVICE });
  const scriptOf = (id: ConversationId) => agent.scripts.find((each) => each.id === id);
  const agent: ScriptedAgent = {
    composer: scriptedComposing(options.vault),
    mcpServer: {
      state: { kind: 'off' },
      subscribe: () => () => undefined,
      access: async () => ({ address: 'http://127.0.0.1:9474/mcp', token: 'a-token' }),
      renewToken: async () => undefined,
    },
    asked: [],
    checks: new Map(),
    saved: [],
    scripts: [],
    entries: [...(options.entries ?? [])],
    problems: [],
    pending: pendingIn(settings, { ...settings, ...options.incoming }),
    log: () => [],
    reviewed: reviewedIn(() => agent.scripts, options.reviewed ?? {}),
    verdict: { ok: true, models: 12, transport: 'node' },
    add(script) {
      agent.scripts.push(script);
      script.tell = (event) => {
        const state = reduce(states.get(script.id) ?? emptyConversation(script.id), event);
        states.set(script.id, state);
        for (const listener of listeners) listener(event, state);
      };
      for (const event of script.events) script.tell(event);
    },
    connect(state) {
      connection = state;
      for (const listener of connected) listener(state);
    },
    setEntries(entries) {
      agent.entries = [...entries];
      for (const watcher of watchers) watcher();
    },
    mcpServers: {
      status: async () => new Map(),
      test: async () => ({ kind: 'off' }),
    },
    async state() {
      const paused = shown().flatMap(({ id, turns }) =>
        turns
          .filter((turn) => turnState(turn) === 'paused')
          .map((turn) => ({ conversation: id, turn: turn.id })),
      );
      return {
        device: DEVICE,
        conversations: shown().map(lined),
        current: shown().at(-1) ?? null,
        paused,
        running: shown().flatMap(({ id, turns }) =>
          turns
            .filter((turn) => turnState(turn) === 'running')
            .map((turn) => ({ conversation: id, turn: turn.id })),
        ),
        busy: false,
        interactions: shown().flatMap(({ id, turns }) =>
          turns.flatMap(openInteractions).map((interaction) => ({ conversation: id, interaction })),
        ),
        edits: agent.reviewed.pending,
        inbox: agent.entries,
        stuck: options.stuck ?? [],
        connection,
        problems: agent.problems,
      };
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    queue: {
      async send(request) {
        agent.asked.push(['send', request]);
        const made = queuedEntry(request.text, request.conversation ?? null, agent.asked.length);
        const { when } = request;
        const sent = { ...made.request, time: SENT_LATER, ...(when ? { when } : {}) };
        const entry = { ...made, request: sent };
        agent.entries.push(entry);
        return { ok: true, request: entry.request.id };
      },
      async answer(answer) {
        agent.asked.push(['answer', answer]);
        return { ok: true, question: answer.question ?? ('' as never) };
      },
      async approve(decision) {
        agent.asked.push(['confirm', decision]);
        return { ok: true };
      },
      async stop(conversation) {
        agent.asked.push(['stop', conversation]);
        const returned = agent.entries.map(({ request: inbound }) => inbound.text);
        agent.entries = [];
        return { ok: true, turn: '' as never, returned, attached: [], linked: [] };
      },
      async stopRequest(request, draft) {
        agent.asked.push(['stopRequest', request, draft]);
        const queued = agent.entries.find(({ request: { id } }) => id === request);
        agent.entries = agent.entries.filter((each) => each !== queued);
        const { text, attachments } = queued?.request ?? { text: '', attachments: [] };
        return { ok: true, returned: queued ? [text] : [], attached: attachments, linked: [] };
      },
      async pause(conversation) {
        agent.asked.push(['pause', conversation]);
        return { ok: true, conversation: conversation ?? ('' as never), turn: '' as never };
      },
      async resume(conversation) {
        agent.asked.push(['resume', conversation]);
        return { ok: true, conversation: conversation ?? ('' as never), turn: '' as never };
      },
      async retryFailed() {
        agent.asked.push(['retryFailed']);
        return { ok: true, requests: [] };
      },
      async retry(entry) {
        agent.asked.push(['retry', entry]);
        return { ok: true, request: entry };
      },
      async sendNow(entry) {
        agent.asked.push(['sendNow', entry]);
        agent.entries = agent.entries.map((each) =>
          each.request.id === entry
            ? { ...each, request: { ...each.request, when: 'steer' } }
            : each,
        );
        return { ok: true, request: entry };
      },
      async edit(entry) {
        agent.asked.push(['edit', entry]);
        agent.entries = agent.entries.filter(({ request: inbound }) => inbound.id !== entry);
        return { ok: true, request: entry };
      },
      async discard(entry) {
        agent.asked.push(['discard', entry]);
        agent.entries = agent.entries.filter(({ request: inbound }) => inbound.id !== entry);
        return { ok: true, request: entry };
      },
      onChange(listener) {
        watchers.add(listener);
        return () => watchers.delete(listener);
      },
    },
    quickEdits: {
      check: async () =>
        settings.panelMode === 'read-only'
          ? { ok: false, reason: readOnly }
          : { ok: true, mode: settings.panelMode },
      setMode: async (note, mode) => {
        agent.asked.push(['quickEditMode', { note, mode }]);
        return { ok: true, mode };
      },
      async send(request) {
        agent.asked.push(['quickEdit', request]);
        const conversation = agent.scripts.at(-1)?.id ?? ('' as ConversationId);
        const entry = queuedEntry(request.text, conversation, agent.asked.length);
        agent.entries.push(entry);
        return { ok: true, conversation, request: entry.request.id };
      },
    },
    editReplies: {
      conversationOf: async () => agent.scripts.at(-1)?.id ?? null,
      async send(reply) {
        agent.asked.push(['editReply', reply]);
        const conversation = agent.scripts.at(-1)?.id ?? ('' as ConversationId);
        const { edit, note, text } = reply;
        const hunk = { kind: 'hunk', path: note, hunk: edit as ProposalId } as const;
        const entry = queuedEntry(text, conversation, agent.asked.length, [hunk]);
        agent.entries.push(entry);
        return { ok: true, conversation, request: entry.request.id };
      },
      listen: (place) => void agent.asked.push(['listen', place]),
      stopListening: (place, when) => void agent.asked.push(['stopListening', place, when]),
    },
    conversations: {
      async create(carried) {
        agent.asked.push(['newConversation', ...(carried === undefined ? [] : [carried])]);
        const script = new Script(`new${agent.scripts.length}`);
        agent.add(script);
        return { ok: true, conversation: script.id };
      },
      async read(id) {
        const script = agent.scripts.find((each) => each.id === id);
        return script ? conversationOf(script) : null;
      },
      async search(query, { among, onHit } = {}) {
        agent.asked.push(['search', query]);
        const listed = shown().filter(({ id }) => among?.has(id) ?? true);
        const hits = listed.toReversed().flatMap((each) => hitsIn(each, query));
        for (const hit of hits) onHit?.(hit);
        return { ok: true, hits, complete: true, unread: 0 };
      },
      async rename(id, title) {
        agent.asked.push(['renameConversation', id, title]);
        scriptOf(id)?.write({ type: 'title-set', title, by: 'user' });
        return { ok: true, title };
      },
      async pin(id, pinned) {
        agent.asked.push(['pinConversation', id, pinned]);
        scriptOf(id)?.write({ type: 'pin-set', pinned });
        return { ok: true, pinned };
      },
      async archive(id, archived) {
        agent.asked.push(['archiveConversation', id, archived]);
        scriptOf(id)?.write({ type: 'archive-set', archived });
        return { ok: true, archived };
      },
      async remove(ids) {
        agent.asked.push(['removeConversations', ids]);
        for (const id of ids) removed.add(id);
        return { ok: true, conversations: ids };
      },
      async restore(ids) {
        agent.asked.push(['restoreConversations', ids]);
        for (const id of ids) removed.delete(id);
        return { ok: true, conversations: ids };
      },
      removed: async () => all().flatMap((each) => (removed.has(each.id) ? [lined(each)] : [])),
      async fork(request) {
        agent.asked.push(['fork', request]);
        const entry = queuedEntry(request.text ?? '', request.conversation, agent.asked.length);
        return { ok: true, conversation: request.conversation, request: entry.request.id };
      },
      async export(id, folder) {
        agent.asked.push(['exportConversation', id, folder]);
        return { ok: true, note: 'Exported.md' };
      },
      exportPlan: async () => ({ ok: true, folder: 'Conversations', notes: shown().length }),
      async exportAll(folder) {
        agent.asked.push(['exportAll', folder]);
        const { length } = shown();
        return { ok: true, notes: length, all: length, failed: [], stoppedBy: null };
      },
      async setMode(id, mode) {
        agent.asked.push(['setMode', id, mode]);
        return { ok: true, mode };
      },
    },
    sources: {
      async check(passages) {
        agent.asked.push(['checkSources', passages]);
        const unchanged = (passage: Passage): PassageCheck =>
          passage.kind === 'note' ? { ...passage, kind: 'unchanged' } : { kind: 'outside' };
        const checks = passages.map((each) => agent.checks.get(each.key) ?? unchanged(each));
        return { ok: true, checks };
      },
      async checkNote(path) {
        agent.asked.push(['checkNote', path]);
        return { ok: true, sources: agent.saved };
      },
    },
    edits: {
      pending: () => agent.reviewed.pending,
      look: async () => undefined,
      onChange: (listener) => agent.reviewed.onChange(listener),
      async accept(choice) {
        agent.asked.push(['accept', choice]);
        return agent.reviewed.decide(choice, 'accept');
      },
      async reject(choice) {
        agent.asked.push(['reject', choice]);
        return agent.reviewed.decide(choice, 'reject');
      },
      async amend(edit) {
        agent.asked.push(['amend', edit]);
        return agent.reviewed.decide(edit, { amend: edit.after });
      },
      async decidePart(choice) {
        agent.asked.push(['decidePart', choice]);
        return { ok: true, decided: 1, changes: [], unapplied: [] };
      },
      async removeDamaged(note) {
        agent.asked.push(['removeDamaged', note]);
        return { ok: true, decided: 0, changes: [], unapplied: [] };
      },
      versions: async (edit) => agent.reviewed.versionsOf(edit),
      async chooseVersion(choice) {
        agent.asked.push(['chooseVersion', choice]);
        return agent.reviewed.chooseVersion(choice.edit, choice.version);
      },
    },
    changes: {
      async undo(choice) {
        agent.asked.push(['undo', choice]);
        return agent.reviewed.undo(choice);
      },
      noteHistory: async (path) => agent.reviewed.history?.[path] ?? [],
      changeTexts: async (change) => agent.reviewed.texts?.[change] ?? null,
      undoneAmong: async (changes) => agent.reviewed.undoneAmong(changes),
    },
    authorship: {
      ranges: async (path) => agent.reviewed.authorship?.[path] ?? [],
    },
    tools: {
      agents: async () => [
        {
          ...{ name: 'note_reader', key: 'note_reader' },
          description: 'Reads notes.',
          tools: [],
        },
        {
          ...{ name: 'vault_manager', key: 'vault_manager' },
          description: 'Manages files.',
          tools: [
            {
              name: 'delete',
              description: 'Deletes a file or folder.',
              key: 'delete',
              permission: 'ask',
              fixed: false,
            },
          ],
        },
      ],
      customTools: async () => [],
      textOf: async (paths) => {
        agent.asked.push(['textOf', paths]);
        return { ok: true, text: paths.map((path) => `The text of ${path}\n`).join('\n') };
      },
      async call() {
        return { ok: false, reason: 'A script has no tools.' };
      },
    },
    settings: {
      async set(changes) {
        agent.asked.push(['set', changes]);
        ({ settings } = applySettings(settings, changes));
        return { ok: true, settings: settings };
      },
      current: () => settings,
      pending: () => agent.pending,
      async decide(shown, choice) {
        agent.asked.push(['decide', [shown, choice]]);
        agent.pending = [];
      },
      models: async () => [],
      checkConnection: async () => agent.verdict,
      embedNotes: async () => ({ ok: true, notes: 0 }),
      describeVault: async () => ({ ok: true, description: DEFAULT_VAULT_ORGANIZATION }),
      describeRouting: async () => ({ ok: true, description: DEFAULT_ROUTING_DESCRIPTION }),
    },
    voice: {
      onStatus(listener) {
        connected.add(listener);
        return () => connected.delete(listener);
      },
      reconnect: () => void agent.asked.push(['reconnect']),
      decisions: () => ({ allowed: false }),
      allowDecisions: () => ({ ok: true }),
    },
    usage: {
      price: (model) =>
        settings.prices[model] ?? (model.startsWith('claude-haiku') ? HAIKU_PRICE : null),
      byDay: async () => options.usage ?? [],
    },
  };
  for (const script of scripts) agent.add(script);
  return agent;
}

/** After every scripted turn has begun. */
const SENT_LATER = Date.UTC(2100, 0);

export function queuedEntry(
  text: string,
  conversation: ConversationId | null,
  count: number,
  attachments: readonly Attachment[] = [],
): QueuedRequest {
  const inbound: UserRequest = {
    id: `request-queued-${count}` as RequestId,
    time: 0,
    text,
    source: 'typed',
    conversation,
    attachments,
    reply: { to: 'chat' },
  };
  return {
    device: 'device-1' as never,
    request: inbound,
    attempts: 0,
    firstFailed: null,
    state: 'queued',
  };
}

export function spokenEntry(...of: Parameters<typeof queuedEntry>): QueuedRequest {
  const entry = queuedEntry(...of);
  return { ...entry, request: { ...entry.request, source: 'voice' } };
}

function reviewedIn(scripts: () => readonly Script[], reviewed: Reviewed): ScriptedEdits {
  const turns = () =>
    scripts().flatMap((script) =>
      reduceAll(script.id, script.events).turns.map((turn) => ({
        turn: turn.id,
        conversation: script.id,
        changes: allCalls(turn).flatMap((call) =>
          call.state === 'finished' && call.result.details?.kind === 'changes'
            ? call.result.details.changes.map(({ change }) => change)
            : [],
        ),
      })),
    );
  return scriptedEdits(reviewed, {
    write: (conversation, draft) =>
      void scripts()
        .find(({ id }) => id === conversation)
        ?.write(draft),
    changesOf: (turn) => turns().filter((each) => each.turn === turn),
    conversationOf: (change) => {
      const made = turns().find(({ changes }) => changes.includes(change));
      const acted = scripts().find(({ events }) => events.some((event) => tells(event, change)));
      return made?.conversation ?? acted?.id ?? null;
    },
  });
}

/** Whether the event records a decision on this change or its undo. */
function tells(event: Event, change: ChangeId): boolean {
  if (event.type === 'edits-decide') return event.change === change;
  return event.type === 'change-undo' && event.undos.includes(change);
}

/** Searches titles and messages for a single word. */
function hitsIn(conversation: Conversation, word: string): SearchHit[] {
  const { id, title, updated: time } = conversation;
  const found = (text: string): SearchHit['snippet'] | null => {
    const at = text.toLowerCase().indexOf(word.toLowerCase());
    return at < 0 ? null : { text, ranges: [[at, at + word.length]] };
  };
  const inTitle = found(title);
  const messages = messagesOf(conversation).flatMap((message): SearchHit[] => {
    const snippet = found(message.text);
    const { id: name, role, time: said } = message;
    return snippet
      ? [
          {
            ...{ conversation: id, title, snippet, role },
            where: 'message',
            message: name,
            time: said,
          },
        ]
      : [];
  });
  const titles: SearchHit[] = inTitle
    ? [{ conversation: id, title, time, where: 'title', snippet: inTitle }]
    : [];
  return [...titles, ...messages.toReversed()];
}
