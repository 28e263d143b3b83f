/** Builds the context that tools run in, for one call at a time. */
import { ToolChanges } from '#edits/apply-change';
import type { ChangeLog } from '#edits/change-log';
import type { PendingEdits } from '#edits/pending-edits';
import type { UndoRunner } from '#edits/undo-runner';
import { afterView, beforeView } from '#edits/proposals';
import type { Attachment, HunkReference } from '#model/attachment';
import type { CallOrigin } from '#model/change';
import { allCalls, type Conversation, type Turn } from '#model/conversation';
import type { ConversationId, DeviceId, MintId } from '#model/ids';
import type { CallResult, ChangeNote } from '#model/message';
import { resultText } from '#messages/result-text';
import type { Mode } from '#model/setting-choices';
import type { Settings } from '#model/settings';
import { type Capabilities, decide } from '#policy/decide';
import { DryRun } from '#policy/dry-run';
import { filesOf, isApproved, type PlannedEffect } from '#policy/planned-effect';
import { createdBy, type Scope } from '#policy/scope';
import type { AccessRules, ChangeApproval } from '#policy/change-judge';
import { VaultApi } from '#policy/vault-api';
import { VisibleNotes } from '#policy/visible-notes';
import type { Clock } from '#ports/clock';
import type { ConversationHistory } from '#ports/app/conversations-port';
import type { Metadata } from '#ports/metadata';
import type { ReadViewable } from '#ports/model-provider';
import type { HostCommands, ShowFile } from '#ports/ui';
import type { ChangeApplier, NoteEvent, NoteVault } from '#ports/vault';
import type { Web } from '#ports/web';
import { HunkTargets, type HunkView } from './hunk-targets';
import { OwnChanges } from './own-changes';
import { lastPrinted, linesAgain, type LastPrinted, type SeenTurn } from './printed-lines';
import { HeldNotes, ShownNotes, type StepNotes } from './shown-notes';
import { problem, type ToolContext } from './tool';
import type { VaultSearch } from './vault-search';

export interface ToolContextsDeps {
  readonly notes: NoteVault;
  readonly metadata: Metadata;
  readonly changeLog: ChangeLog;
  readonly pending: PendingEdits;
  readonly search: VaultSearch;
  readonly history: ConversationHistory;
  readonly undo: UndoRunner;
  readonly show: ShowFile;
  readonly commands: HostCommands;
  readonly web: Web;
  readonly clock: Clock;
  readonly mint: MintId;
  readonly device: DeviceId;
  readonly configDir: string;
  settings(): Settings;
}

/** The call, its step and the vault scope of its turn. */
export interface CallOrigins {
  readonly origin: Omit<CallOrigin, 'device'>;
  /**
   * The same for all calls of one step, which the model wrote before it saw any of their results.
   */
  readonly step: string;
  readonly scope: TurnScope;
  readonly attachments: readonly Attachment[];
  /** Reports progress to the user. */
  readonly notify?: ToolContext['reportProgress'];
}

export interface CallContext {
  readonly context: ToolContext;
  /**
   * Counts the lines that the call printed as shown. To be called if the model gets its result.
   *
   * @returns the lines, to be recorded with the result
   */
  delivered(): Pick<CallResult, 'lines'>;
}

/**
 * Maximum conversations whose shown lines are remembered. In older ones the model has to read
 * again.
 */
const MAX_CONVERSATIONS = 100;

/** Maximum notes of which shown lines are restored after a restart. */
const MAX_RESTORED_NOTES = 20;

/** A step of one conversation. */
export interface Reader {
  readonly conversation: ConversationId;
  /** From `stepKey`. */
  readonly step: string;
}

const NO_SIGNAL = new AbortController().signal;

const NONE: ReadonlySet<string> = new Set();

const READ_ONLY_SCOPE: TurnScope = {
  mode: 'read-only',
  hunk: null,
  activeNote: null,
  attached: [],
  changes: [],
};

/** How `OwnChanges` undoes. */
interface UndoingContext {
  readonly origin: CallOrigin | null;
  readonly tries: NoteVault | null;
}

const READ_ONLY: UndoingContext = { origin: null, tries: null };

export function capabilitiesOf(settings: Settings): Capabilities {
  const { allowAdd, allowReplace, allowCreate, allowNavigate } = settings;
  return {
    add: allowAdd,
    replace: allowReplace,
    create: allowCreate,
    navigate: allowNavigate,
  };
}

export class ToolContexts {
  readonly #deps: ToolContextsDeps;
  /** What the model was shown, by conversation. The most recently used one is last. */
  readonly #shown = new Map<ConversationId, ShownNotes>();
  /** The vault as tools see it, with pending edits applied. */
  readonly #seen: NoteVault;
  /** For dry runs: lists commands but does not run them. */
  readonly #inert: HostCommands;
  readonly #visible: VisibleNotes;
  readonly #hunks: HunkTargets;

  constructor(deps: ToolContextsDeps) {
    this.#deps = deps;
    this.#hunks = new HunkTargets(deps);
    this.#seen = afterView(deps.notes, deps.pending.detached, deps.changeLog, () =>
      deps.pending.paths(),
    );
    this.#visible = new VisibleNotes(deps.notes, deps.clock);
    this.#inert = { all: () => deps.commands.all(), run: () => true };
    deps.notes.onChange((event) => this.#follow(event));
  }

  /** @param approved what the user approved; null if no approval was needed */
  context(from: CallOrigins, signal: AbortSignal, approved: readonly string[] | null): CallContext {
    const { hunk, mode } = from.scope;
    const origin = { ...from.origin, device: this.#deps.device };
    const changes = new ToolChanges(this.#deps, {
      ...{ origin, proposes: mode === 'review' },
      hunk: async () => (hunk ? this.#hunks.placeOf(hunk) : null),
    });
    const keys = approved && new Set(approved);
    const made: PlannedEffect[] = [];
    const approval: ChangeApproval = {
      allows(planned) {
        if (keys) return isApproved(keys, planned);
        // The vault may have changed since the plan, which was for fewer notes.
        const notes = filesOf([...made, planned]).size;
        const isAllowed =
          planned.reasons.length === 0 && decide({ about: 'call', notes }).answer === 'allow';
        if (isAllowed) made.push(planned);
        return isAllowed;
      },
    };
    const shown = new HeldNotes(this.#notesOf(from), false);
    const { commands } = this.#deps;
    const own = { origin: hunk ? null : origin, tries: null };
    return {
      context: this.#context(from, signal, this.#seen, changes, approval, shown, own, commands),
      delivered: () => shown.release(),
    };
  }

  /** Like `context`, but nothing is changed: effects are collected in `plan`. */
  dryRunContext(from: CallOrigins): CallContext & { readonly plan: DryRun } {
    const plan = new DryRun(this.#seen);
    const shown = new HeldNotes(this.#notesOf(from), true);
    const origin = { ...from.origin, device: this.#deps.device };
    const own = { origin: from.scope.hunk ? null : origin, tries: this.#deps.notes };
    return {
      plan,
      context: this.#context(from, NO_SIGNAL, plan.notes, plan, plan, shown, own),
      delivered: () => shown.release(),
    };
  }

  /** All turns of a conversation; empty if it cannot be read. */
  async turnsOf(id: ConversationId): Promise<readonly Turn[]> {
    const found = await this.#deps.history.read(id).catch(() => null);
    return found?.turns ?? [];
  }

  /** Those that came from this device; empty if they cannot be read. */
  signedTurnsOf(id: ConversationId): Promise<readonly Turn[]> {
    return this.#deps.history.signedTurns(id).catch(() => []);
  }

  /** The path, if it is visible to the agent; otherwise null. */
  async visiblePath(path: string): Promise<string | null> {
    const found = await this.vault().find(path, 'file');
    return found.ok && found.value.entry.path === path ? path : null;
  }

  /** The pending edit, if it is still pending and the agent may see its note; otherwise null. */
  async hunk(reference: HunkReference): Promise<HunkView | null> {
    const found = await this.#hunks.view(reference);
    return found && (await this.visiblePath(found.path)) === null ? null : found;
  }

  /** The joined texts of notes; a problem for the user if the agent may not read one of them. */
  async textOf(
    paths: readonly string[],
  ): Promise<{ ok: true; text: string } | { ok: false; reason: string }> {
    const vault = this.vault();
    const texts: string[] = [];
    for (const path of paths) {
      const found = await vault.find(path, 'file');
      const read = found.ok ? await vault.read(path) : found;
      if (!read.ok) return { ok: false, reason: `${path}: ${resultText(problem(read))}` };
      texts.push(read.value.text.trim());
    }
    return { ok: true, text: `${texts.join('\n\n')}\n` };
  }

  /** Where the file is now that was last at this path; null if it was not moved since the start. */
  movedTo(path: string): string | null {
    return this.#visible.movedTo(path);
  }

  /** When a file was created; 0 if that is not known. */
  createdAt(path: string): number {
    return this.#deps.notes.get(path)?.created ?? 0;
  }

  readonly lookAt: ReadViewable = async ({ path, size, modified }) => {
    if ((await this.visiblePath(path)) === null) return null;
    const now = this.#deps.notes.get(path);
    if (now?.size !== size || now.modified !== modified) return null;
    return {
      bytes: async () => {
        const read = await this.vault().bytes(path);
        return read.ok ? read.value : null;
      },
    };
  };

  /**
   * A read-only context for use outside of tool calls.
   *
   * @param reader conversation and step that the lines are shown in; null to record nothing
   */
  readOnlyContext(reader: Reader | null): ToolContext {
    const plan = new DryRun(this.#seen);
    const origin = { conversation: reader?.conversation ?? ('' as ConversationId) };
    const all = reader === null ? new ShownNotes() : this.#shownTo(reader.conversation);
    return this.#context(
      { origin, scope: READ_ONLY_SCOPE, attachments: [] },
      NO_SIGNAL,
      plan.notes,
      plan,
      plan,
      all.during(reader?.step ?? ''),
    );
  }

  /** The vault as the agent sees it, read-only, for use outside of tool calls. */
  vault(): VaultApi {
    return this.readOnlyContext(null).vault;
  }

  /** Like `vault`, but without pending edits, which have no effect until the user accepts them. */
  acceptedVault(): VaultApi {
    const { notes, metadata } = this.#deps;
    const plan = new DryRun(notes);
    return new VaultApi(
      beforeView(plan.notes),
      metadata,
      this.#visible,
      () => this.#rules(READ_ONLY_SCOPE),
      plan,
      plan,
    );
  }

  #context(
    {
      origin,
      scope,
      attachments,
      notify: reportProgress = () => undefined,
    }: Omit<CallOrigins, 'origin' | 'step'> & { readonly origin: Pick<CallOrigin, 'conversation'> },
    signal: AbortSignal,
    notes: NoteVault,
    applier: ChangeApplier,
    approval: ChangeApproval,
    shown: StepNotes,
    undoing: UndoingContext = READ_ONLY,
    commands = this.#inert,
  ): ToolContext {
    const { metadata, search, history, show, web, clock, settings } = this.#deps;
    const rules = () => this.#rules(scope);
    const vault = new VaultApi(notes, metadata, this.#visible, rules, applier, approval);
    return {
      vault,
      search,
      history,
      changes: new OwnChanges(this.#deps, vault, undoing.origin, undoing.tries),
      conversation: origin.conversation,
      notes: shown,
      settings: settings(),
      show,
      commands,
      web,
      request: { attachments, activeNote: scope.activeNote },
      hunk: (reference) => this.hunk(reference),
      clock,
      signal,
      reportProgress,
    };
  }

  /**
   * Rules under the current settings, so that a prohibition also applies to calls that are already
   * running.
   */
  #rules(scope: TurnScope): AccessRules {
    const { configDir, settings } = this.#deps;
    const now = settings();
    const { excludedFolders, excludedTag, templateFolder } = now;
    return {
      configDir,
      templateFolder,
      instructions: [templateFolder, now.customToolFolder, now.promptFolder],
      excludedFolders,
      excludedTag,
      mode: scope.mode,
      capabilities: capabilitiesOf(now),
      scope: this.#scope(now.editableScope, scope),
      beyondHunk: async (effect) => (scope.hunk ? this.#hunks.refusalOf(effect, scope.hunk) : null),
    };
  }

  #scope(kind: Scope['kind'], { activeNote, attached, changes }: TurnScope): Scope {
    const active = activeNote === null ? [] : [activeNote];
    const roots = {
      current: () => active,
      linked: () => [...active, ...active.flatMap((path) => this.linkedFrom(path))],
      context: () => attached,
      vault: () => [],
    };
    return { kind, roots: roots[kind](), created: kind === 'vault' ? NONE : createdBy(changes) };
  }

  /** Paths of the files that a note links to or embeds. */
  linkedFrom(path: string): string[] {
    return (this.#deps.metadata.of(path)?.links ?? []).flatMap(({ to }) => to ?? []);
  }

  /**
   * Fixes what line numbers mean in the calls of a step that run later.
   *
   * @param since first step whose results the caller may not have seen, if any
   */
  beginStep({ conversation, step }: Reader, since?: string): void {
    this.#shownTo(conversation).during(step, since);
  }

  /**
   * Restores which lines the model was shown before a restart, of notes that have not changed since.
   * To be awaited before a call runs; done once for each conversation.
   *
   * @param seen the turns that the model still sees
   */
  restoreShown({ conversation, step }: Reader, seen: () => readonly SeenTurn[]): Promise<void> {
    const shown = this.#shownTo(conversation);
    return (shown.restored ??= this.#restore(
      shown,
      lastPrinted(seen(), step, (path) =>
        this.#seen.get(path) ? path : this.#visible.movedTo(path),
      ),
    ));
  }

  async #restore(shown: ShownNotes, printed: readonly LastPrinted[]): Promise<void> {
    const vault = this.vault();
    await Promise.all(
      printed.slice(0, MAX_RESTORED_NOTES).map(async (last) => {
        const read = await vault.read(last.path).catch(() => null);
        const lines = read?.ok ? linesAgain(last, read.value.text) : null;
        if (read?.ok && lines) shown.restore(last.path, read.value.text, lines);
      }),
    );
  }

  /** After a compaction the model has to read again. */
  forgetShown(conversation: ConversationId): void {
    this.#shown.delete(conversation);
  }

  /**
   * Follows moves and deletions, since the user may put another note at a path that the model
   * knows.
   */
  #follow(event: NoteEvent): void {
    for (const shown of this.#shown.values()) {
      if (event.kind === 'renamed') shown.moved(event.from, event.path);
      if (event.kind === 'removed') shown.forget(event.path);
    }
  }

  #notesOf({ origin, step }: CallOrigins): StepNotes {
    return this.#shownTo(origin.conversation).during(step);
  }

  #shownTo(conversation: ConversationId): ShownNotes {
    const shown =
      this.#shown.get(conversation) ??
      new ShownNotes((path) => this.#deps.notes.get(path)?.modified ?? 0);
    // Moves the conversation to the end of the map, where the most recently used one is.
    this.#shown.delete(conversation);
    this.#shown.set(conversation, shown);
    const [oldest] = this.#shown.keys();
    if (this.#shown.size > MAX_CONVERSATIONS && oldest) this.#shown.delete(oldest);
    return shown;
  }
}

export interface TurnScope {
  readonly mode: Mode;
  /** The pending edit that the turn is about: it may change only this. Null for all other turns. */
  readonly hunk: HunkReference | null;
  /** The note that was open when the user sent the request, by its current path. */
  readonly activeNote: string | null;
  /** Attached notes and folders, and the linked notes of the context, by their current paths. */
  readonly attached: readonly string[];
  /** All changes of the conversation so far, in order. */
  readonly changes: readonly ChangeNote[];
}

export function changesOf(turns: readonly Turn[]): ChangeNote[] {
  return turns.flatMap((turn) =>
    allCalls(turn).flatMap((call) => {
      const details = call.state === 'finished' ? call.result.details : undefined;
      return details?.kind === 'changes' ? details.changes : [];
    }),
  );
}

const STRICTEST_FIRST: readonly Mode[] = ['read-only', 'review', 'apply'];

/** A turn keeps the mode it started in, unless the user has chosen a stricter one since. */
export function modeNow(turn: Turn, conversation: Conversation): Mode {
  const modes = [turn.mode, conversation.mode ?? turn.mode];
  return STRICTEST_FIRST.find((mode) => modes.includes(mode)) ?? turn.mode;
}
