/** The running agent as the chat view, commands and the headless program use it. */
import type { Conversations } from '#conversations/repository';
import type { DeviceId } from '#model/ids';
import type { SmartHoleStatus } from '#model/smarthole-status';
import * as t from '#messages/voice-messages';
import type { Agent, AgentState } from '#ports/app/agent';
import type { VoicePairing } from '#voice/pairing';
import type { Inbox } from '#queue/inbox';
import type { Runner } from '#queue/runner';
import type { McpClientTurns } from './queue-api';
import type { EditsPort } from '#ports/app/edits-port';
import { problemResult, resultOrProblem } from './action-result';
import type { AuthorshipApi } from './authorship-api';
import type { ReviewApi } from './pending-edits-api';
import type { UndoApi } from './undo-api';

export interface AgentApiDeps extends Omit<Agent, 'state' | 'mcpServer' | 'voice'> {
  readonly mcpServer: Agent['mcpServer'] & McpClientTurns;
  readonly bridge: VoiceConnection;
  readonly pairing: Pick<VoicePairing, 'decisions' | 'pair' | 'unpair'>;
  readonly inbox: Inbox;
  readonly history: Conversations;
  readonly runner: Runner;
  readonly device: DeviceId;
  /** Problems to show to the user, collected since load. */
  problems(): readonly string[];
}

/** The SmartHole bridge for the screen. */
export interface VoiceConnection {
  readonly state: SmartHoleStatus;
  subscribe(listener: (state: SmartHoleStatus) => void): () => void;
  retry(): void;
}

/** Combines the ports, and handles what concerns several of them. */
export class AgentApi implements Agent {
  readonly #deps: AgentApiDeps;
  readonly conversations: Agent['conversations'];
  readonly queue: Agent['queue'];
  readonly edits: Agent['edits'];
  readonly quickEdits: Agent['quickEdits'];
  readonly editReplies: Agent['editReplies'];
  readonly composer: Agent['composer'];
  readonly settings: Agent['settings'];
  readonly tools: Agent['tools'];
  readonly usage: Agent['usage'];
  readonly voice: Agent['voice'];
  readonly mcpServer: Agent['mcpServer'];
  readonly mcpServers: Agent['mcpServers'];
  readonly subscribe: Agent['subscribe'];
  readonly log: Agent['log'];

  constructor(deps: AgentApiDeps) {
    this.#deps = deps;
    this.conversations = deps.conversations;
    this.queue = deps.queue;
    this.edits = deps.edits;
    this.quickEdits = deps.quickEdits;
    this.editReplies = deps.editReplies;
    this.composer = deps.composer;
    this.settings = deps.settings;
    this.tools = deps.tools;
    this.usage = deps.usage;
    this.voice = {
      onStatus: (listener) => deps.bridge.subscribe(listener),
      reconnect: () => deps.bridge.retry(),
      decisions: () => deps.pairing.decisions,
      allowDecisions(allowed) {
        if (!allowed) deps.pairing.unpair();
        else if (!deps.pairing.pair()) return problemResult(t.connectBeforePairing);
        return { ok: true };
      },
    };
    this.mcpServer = deps.mcpServer;
    this.mcpServers = deps.mcpServers;
    this.subscribe = deps.subscribe;
    this.log = deps.log;
  }

  async state(): Promise<AgentState> {
    const {
      history: conversations,
      runner,
      inbox,
      bridge,
      device,
      edits,
      mcpServer,
      problems,
    } = this.#deps;
    const current = await runner.current();
    const { running } = runner;
    return {
      device,
      conversations: await conversations.list(),
      current: current?.state ?? null,
      running: running && { conversation: running.conversation, turn: running.turn },
      busy: runner.busy,
      interactions: [...(await runner.turns.interactions()), ...mcpServer.interactions()],
      paused: runner.turns.paused,
      edits: edits.pending(),
      inbox: inbox.requests(),
      stuck: runner.stuck,
      connection: bridge.state,
      problems: problems(),
    };
  }
}

/** Decisions about pending edits, and undo, as one port. */
export class EditsApi implements EditsPort {
  readonly pending: EditsPort['pending'];
  readonly onChange: EditsPort['onChange'];
  readonly accept: EditsPort['accept'];
  readonly reject: EditsPort['reject'];
  readonly amend: EditsPort['amend'];
  readonly decidePart: EditsPort['decidePart'];
  readonly removeDamaged: EditsPort['removeDamaged'];
  readonly versions: EditsPort['versions'];
  readonly chooseVersion: EditsPort['chooseVersion'];
  readonly undo: EditsPort['undo'];
  readonly noteHistory: EditsPort['noteHistory'];
  readonly changeTexts: EditsPort['changeTexts'];
  readonly undoneAmong: EditsPort['undoneAmong'];
  readonly authorship: EditsPort['authorship'];
  readonly changesSince: EditsPort['changesSince'];
  readonly lastLook: EditsPort['lastLook'];
  readonly setLastLook: EditsPort['setLastLook'];

  constructor(reviews: ReviewApi, undoing: UndoApi, authorship: AuthorshipApi) {
    this.pending = () => reviews.pending();
    this.onChange = (listener) => reviews.onChange(listener);
    this.accept = (choice) => reviews.accept(choice);
    this.reject = (choice) => reviews.reject(choice);
    this.amend = (edit) => reviews.amend(edit);
    this.decidePart = (part) => reviews.decidePart(part);
    this.removeDamaged = (note) => reviews.removeDamaged(note);
    this.versions = (edit, note) => reviews.versions(edit, note);
    this.chooseVersion = (choice) => reviews.chooseVersion(choice);
    this.undo = (choice) => resultOrProblem(() => undoing.undo(choice));
    this.noteHistory = (path) => undoing.noteHistory(path);
    this.changeTexts = (change) => undoing.changeTexts(change);
    this.undoneAmong = (changes) => undoing.undoneAmong(changes);
    this.authorship = (path, text) => authorship.ranges(path, text);
    this.changesSince = (time) => undoing.changesSince(time);
    this.lastLook = () => authorship.lastLook();
    this.setLastLook = (time) => authorship.setLastLook(time);
  }
}
