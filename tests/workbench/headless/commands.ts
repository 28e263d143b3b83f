/** Runs one line of input as a command and replies at once. Its consequences follow as events. */
import { isAnthropic } from '#model/setting-choices';
import { isRecord } from '#text/untrusted-text';
import type { EditChoice, PendingNote, UndoChoice } from '#model/pending-edit';
import type { ConversationId, RequestId, InteractionId } from '#model/ids';
import { messagesOf } from '#model/conversation-summary';
import { validSteps } from '#model/conversation';
import type { ApprovalChoice } from '#model/interaction';
import type { Agent, AgentState } from '#ports/app/agent';
import type { EditPlaceRef } from '#ports/app/edits-port';
import type { Delivery } from '#model/request';
import type { SendRequest } from '#ports/app/queue-port';

/** Members of the plugin that headless uses. */
export interface CommandTarget {
  readonly agent: Promise<Agent>;
  readonly ready: Promise<void>;
  overrideSettings(changes: Record<string, unknown>): void;
}

type Say = (message: object) => void;
type Command = Record<string, unknown> & { cmd: string };

export async function runCommand(
  line: string,
  agent: Agent,
  say: Say,
): Promise<'quit' | undefined> {
  const command = parse(line);
  if (typeof command === 'string') {
    say({ reply: null, ok: false, reason: command });
    return undefined;
  }
  const { cmd, id } = command;
  const mark = id === undefined ? {} : { id };
  const reply = (result: object) => say({ reply: cmd, ...mark, ...result });
  try {
    const handler = Object.hasOwn(COMMANDS, cmd) ? COMMANDS[cmd] : undefined;
    if (!handler) {
      const known = [...Object.keys(COMMANDS), 'quit'].join(', ');
      if (cmd !== 'quit')
        reply({ ok: false, reason: `Unknown command "${cmd}". Known: ${known}.` });
      else reply({ ok: true });
      return cmd === 'quit' ? 'quit' : undefined;
    }
    const result = await handler(command, agent);
    if (typeof result === 'string') reply({ ok: false, reason: result });
    else if (cmd === 'approve' && 'result' in result && result.ok) {
      const { result: called, ...rest } = result;
      reply(rest);
      say({ reply: 'tool', ...mark, ok: !(called as { failed: boolean }).failed, result: called });
    } else reply(result);
  } catch (error) {
    reply({
      ok: false,
      reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
  return undefined;
}

type Result = { readonly ok: boolean };
/** Returns a string to report an invalid command. */
type Handler = (command: Command, agent: Agent) => Promise<Result | string>;

const CHOICES: readonly string[] = ['allow-once', 'always', 'deny', 'delete', 'keep'];
const DELIVERIES: readonly unknown[] = ['steer', 'after', 'stop', undefined];
const SOURCES: readonly unknown[] = ['typed', 'voice', 'text', undefined];

const COMMANDS: Record<string, Handler> = {
  async send({ text, source, conversation, when }, agent) {
    if (typeof text !== 'string') return 'send takes a text.';
    if (!SOURCES.includes(source)) return 'source is typed, voice or text.';
    if (conversation !== undefined && typeof conversation !== 'string') {
      return 'conversation is the id of a conversation.';
    }
    if (!DELIVERIES.includes(when)) return 'when is steer, after or stop.';
    return agent.queue.send({
      text,
      ...(when === undefined ? {} : { when: when as Delivery }),
      ...(source === undefined ? {} : { source: source as NonNullable<SendRequest['source']> }),
      ...(conversation === undefined ? {} : { conversation: conversation as ConversationId }),
    });
  },
  new: (_command, agent) => agent.conversations.create(),
  async answer({ text, choice, question }, agent) {
    if (typeof (text ?? choice) !== 'string') return 'answer takes a text or a choice.';
    return agent.queue.answer({
      ...(typeof text === 'string' ? { text } : {}),
      ...(typeof choice === 'string' ? { choice } : {}),
      ...(typeof question === 'string' ? { question: question as InteractionId } : {}),
    });
  },
  async approve({ approval, choice, reason }, agent) {
    if (typeof approval !== 'string') return 'approve takes the id of an approval.';
    if (typeof choice !== 'string' || !CHOICES.includes(choice)) {
      return `choice is one of ${CHOICES.join(', ')}.`;
    }
    return agent.queue.approve({
      approval: approval as InteractionId,
      choice: choice as ApprovalChoice,
      ...(typeof reason === 'string' ? { reason } : {}),
    });
  },
  async accept(command, agent) {
    const choice = editChoice(command);
    return typeof choice === 'string' ? choice : { ...(await agent.edits.accept(choice)) };
  },
  async reject(command, agent) {
    const choice = editChoice(command);
    return typeof choice === 'string' ? choice : { ...(await agent.edits.reject(choice)) };
  },
  async amend(command, agent) {
    const choice = editChoice(command);
    const { after } = command;
    if (typeof choice === 'string') return choice;
    if (typeof after !== 'string') return 'amend takes the text that is to stand there.';
    return { ...(await agent.edits.amend({ ...choice, after })) };
  },
  async discuss(command, agent) {
    const place = editPlace(command, agent);
    const { text } = command;
    if (typeof place === 'string') return place;
    if (typeof text !== 'string') return 'discuss takes a text.';
    return agent.editReplies.send({ ...place, text });
  },
  async choose(command, agent) {
    const place = editPlace(command, agent);
    const { version } = command;
    if (typeof place === 'string') return place;
    if (!Number.isInteger(version)) return 'version is its number, from 1 on.';
    return agent.edits.chooseVersion({ ...place, version: (version as number) - 1 });
  },
  async undo({ change, turn, note }, agent) {
    const named = Object.entries({ change, turn, note }).filter(([, value]) => value !== undefined);
    const [choice] = named;
    if (!choice || named.length > 1 || typeof choice[1] !== 'string') {
      return 'undo takes the id of a change, the id of a turn, or the path of a note.';
    }
    return { ...(await agent.changes.undo(Object.fromEntries([choice]) as unknown as UndoChoice)) };
  },
  async history({ note }, agent) {
    if (typeof note !== 'string') return 'history takes the path of a note.';
    return { ok: true, changes: await agent.changes.noteHistory(note) };
  },
  stop: async ({ conversation }, agent) =>
    conversation === undefined || typeof conversation === 'string'
      ? agent.queue.stop(conversation as ConversationId | undefined)
      : 'stop takes the id of a conversation, or nothing.',
  pause: (_command, agent) => agent.queue.pause(),
  resume: (_command, agent) => agent.queue.resume(),
  retry: async ({ request }, agent) =>
    request === 'all'
      ? agent.queue.retryFailed()
      : typeof request === 'string'
        ? agent.queue.retry(request as RequestId)
        : 'retry takes the id of a request, or "all".',
  discard: async ({ request }, agent) =>
    typeof request === 'string'
      ? agent.queue.discard(request as RequestId)
      : 'discard takes the id of a request.',
  async search({ query, limit }, agent) {
    if (typeof query !== 'string') return 'search takes a query.';
    if (limit !== undefined && !(Number.isInteger(limit) && (limit as number) > 0)) {
      return 'limit is a whole number from 1 on.';
    }
    const found = await agent.conversations.search(
      query,
      limit === undefined ? {} : { limit: limit as number },
    );
    return { ...found };
  },
  async tool({ name, input }, agent) {
    if (typeof name !== 'string') return 'tool takes a name and an input.';
    return agent.tools.call(name, input ?? {});
  },
  async set({ cmd: _cmd, id: _id, ...changes }, agent) {
    const named = changes['settings'];
    const wanted = isRecord(named) ? named : changes;
    const { endpoint, compatibility } = wanted;
    // As the settings page does once an endpoint is typed.
    const isOther = typeof endpoint === 'string' && !isAnthropic(endpoint);
    return agent.settings.set(
      isOther && compatibility === undefined ? { ...wanted, compatibility: true } : wanted,
    );
  },
  async pair({ allowed = true }, agent) {
    if (typeof allowed !== 'boolean') return 'allowed is true or false.';
    return { ...agent.voice.allowDecisions(allowed) };
  },
  async mcp(_command, { mcpServer }) {
    return { ok: true, state: mcpServer.state, ...(await mcpServer.access()) };
  },
  async state(_command, agent) {
    const state = await agent.state();
    const edits = await withVersions(state.edits, agent);
    return { ok: true, ...shown(state), edits, settings: agent.settings.current() };
  },
  async models(_command, agent) {
    return { ok: true, models: await agent.settings.models() };
  },
};

function editChoice({ cmd, edit, note }: Command): EditChoice | string {
  if (typeof edit !== 'string') return `${cmd} takes the id of a proposed edit, or "all".`;
  if (note !== undefined && typeof note !== 'string') return 'note is the path of a note.';
  return {
    edit: edit as EditChoice['edit'],
    ...(note === undefined ? {} : { note }),
  };
}

/** One pending edit, in the note that is named or else in the first that has it. */
function editPlace(command: Command, agent: Agent): EditPlaceRef | string {
  const choice = editChoice(command);
  if (typeof choice === 'string') return choice;
  if (choice.edit === 'all') return `${command.cmd} takes the id of one edit.`;
  const { edit, note } = choice;
  const found = agent.edits.pending().find(({ edits }) => edits.some(({ id }) => id === edit));
  return { edit, note: note ?? found?.path ?? '' };
}

/** Adds the texts that each edit has proposed so far. */
function withVersions(notes: readonly PendingNote[], agent: Agent): Promise<readonly object[]> {
  return Promise.all(
    notes.map(async (note) => ({
      ...note,
      edits: await Promise.all(
        note.edits.map(async (edit) => ({
          ...edit,
          versions: (await agent.edits.versions(edit.id, note.path)).map(
            ({ after, isCurrent }) => ({ after, isCurrent }),
          ),
        })),
      ),
    })),
  );
}

/** The state that a screen would show, as plain data. */
function shown(state: AgentState): Record<string, unknown> {
  const { current, running } = state;
  const turn = current?.turns.find(({ id }) => running.some((each) => each.turn === id));
  const step = turn && validSteps(turn).at(-1);
  return {
    ...state,
    current: current && { ...current, messages: messagesOf(current) },
    progress: turn && {
      turn: turn.id,
      step: step?.number ?? 0,
      of: step?.of ?? 0,
      plan: turn.plan,
      retry: turn.retry,
    },
  };
}

function parse(line: string): Command | string {
  let command: unknown;
  try {
    command = JSON.parse(line);
  } catch (error) {
    return `The line is not JSON: ${(error as Error).message}`;
  }
  if (!isRecord(command) || typeof command['cmd'] !== 'string') {
    return 'A line is a JSON object with a "cmd", such as {"cmd":"send","text":"add milk to my shopping list"}.';
  }
  return command as Command;
}
