/** Decides about the changes of a tool call: by visibility, mode, scope and what they would damage. */
import * as approvals from '#messages/approval-messages';
import type { Effect } from '#model/change';
import type { Mode } from '#model/setting-choices';
import type { Metadata } from '#ports/metadata';
import type { NoteVault } from '#ports/vault';
import type { LineRange } from '#text/change-check';
import { extensionOf, movedPath } from '#text/paths';
import { type Capabilities, decide, type Decision, type PathAction } from './decide';
import { type CheckedEffect, checkEffect } from './effect-check';
import { folderContents, type PlannedEffect } from './planned-effect';
import { isInScope, type Scope } from './scope';
import { notAllowed, refused, type VaultProblem, whyStays } from './vault-problems';
import type { Visibility, VisibilityRules } from './visibility';

/** Rules from the user's settings, and the edit scope of the calling turn. */
export interface AccessRules extends VisibilityRules {
  readonly mode: Mode;
  readonly capabilities: Capabilities;
  readonly scope: Scope;
  /** Folders and notes, from the settings, that contain instructions for agents. */
  readonly instructions: readonly string[];
  /** From Parley's settings; '' for the one in the host's settings. */
  readonly templateFolder: string;
  /** Why a change goes beyond the pending edit that the turn is about; null if it may be made. */
  beyondHunk(effect: Effect): Promise<string | null>;
}

/** What the user has approved of the changes of one tool call. */
export interface ChangeApproval {
  /**
   * Whether the user has approved this change.
   *
   * @param place where its file is, if earlier changes of the call have moved it
   */
  allows(planned: PlannedEffect, place?: string): boolean;
  /** Called when a change is refused. */
  refused?(decision: Extract<Decision, { answer: 'refuse' }>): void;
}

/** What an undo is about, beside its effect. */
export interface UndoneFile {
  readonly placeBefore: string;
  /** Whether Parley created the file. */
  readonly isOwnFile: boolean;
  /** Whether it takes back words with which the user amended an edit. */
  readonly takesUsersWords: boolean;
}

interface ChangeJudgeDeps {
  readonly notes: NoteVault;
  readonly metadata: Metadata;
  readonly visibility: Visibility;
  readonly approval: ChangeApproval;
  rules(): AccessRules;
}

export class ChangeJudge {
  readonly #deps: ChangeJudgeDeps;
  /** Read once, because a call may change thousands of notes. */
  #folders: Promise<readonly string[]> | null = null;

  constructor(deps: ChangeJudgeDeps) {
    this.#deps = deps;
  }

  /** @param about see `checkEffect` */
  async judge(
    wanted: Effect,
    about: readonly LineRange[] | 'whole',
  ): Promise<(CheckedEffect & { readonly decision: Decision }) | VaultProblem> {
    const checked = checkEffect(wanted, about, this.#deps.metadata);
    if (!checked.ok) return refused(checked.reason, 'no-match');
    const decision = await this.#decide(checked.effect);
    if (decision.answer !== 'refuse') return { ...checked, decision };
    this.#deps.approval.refused?.(decision);
    return refused(decision.reason, 'not-allowed');
  }

  async #decide(effect: Effect): Promise<Decision> {
    for (const [act, path] of touched(effect)) {
      const reason = await this.#deps.visibility.refusal(act, path);
      if (reason !== null) return { answer: 'refuse', by: 'path', reason };
    }
    if (effect.kind === 'delete' || effect.kind === 'move') {
      const hidden = await this.#deps.visibility.hiddenIn(effect.path);
      const reason = hidden === null ? null : whyStays(effect, hidden);
      if (reason !== null) return { answer: 'refuse', by: 'path', reason };
    }
    const { mode, capabilities, scope, instructions, beyondHunk } = this.#deps.rules();
    return decide({
      about: 'effect',
      effect,
      readProperties: (text) => this.#deps.metadata.frontMatter(text),
      mode,
      capabilities,
      scope: scope.kind,
      outOfScope: await this.#outOfScope(effect, scope),
      beyondHunk: await beyondHunk(effect),
      instructions: [...instructions, ...(await this.#templateFolders())],
      renamed: await this.#renamed(effect),
    });
  }

  #templateFolders(): Promise<readonly string[]> {
    return (this.#folders ??= this.#deps.metadata.templateFolders());
  }

  /**
   * The path if it is out of scope; otherwise null. A folder is in scope if everything in it is.
   */
  async #outOfScope({ path }: Effect, scope: Scope): Promise<string | null> {
    if (isInScope(path, scope)) return null;
    if (this.#deps.notes.get(path)?.kind !== 'folder') return path;
    const below = (await this.#deps.visibility.listing()).entries.filter((each) =>
      each.path.startsWith(`${path}/`),
    );
    const isAll = below.length > 0 && below.every((each) => isInScope(each.path, scope));
    return isAll ? null : path;
  }

  async #renamed(effect: Effect): Promise<string | null> {
    if (effect.kind !== 'move') return null;
    const isSameKind = extensionOf(effect.path) === extensionOf(effect.to);
    if (isSameKind && !/\.excalidraw\.md$/i.test(effect.to)) return null;
    const read = await this.#deps.notes.read(effect.path);
    return read.ok ? read.value.text : null;
  }

  /**
   * Why an undo must not make a change; null if it may. It is decided about like any other change,
   * in every mode. The text is one that the file had before, so it is not checked for damage to the
   * rest of the file. An undo is exact or it is none, so it never waits in a note: what would wait
   * there (an uncertain text, or in Review every text) asks the user, who sees it before it is made.
   * A withdrawn proposal changes nothing that the user has accepted, and asks nothing.
   *
   * @param accepted the change of the text without pending edits
   * @param placeBefore where the file was when the undo began, which is what the user approves
   * @param isOwnFile whether the agent created the file, which it may remove unasked
   */
  async refusalOfUndo(
    accepted: Effect,
    { placeBefore, isOwnFile, takesUsersWords }: UndoneFile,
  ): Promise<VaultProblem | null> {
    const decision = await this.#decide(accepted);
    if (decision.answer === 'refuse') {
      this.#deps.approval.refused?.(decision);
      return refused(decision.reason, 'not-allowed');
    }
    const isText = accepted.kind !== 'move' && accepted.kind !== 'folder';
    const isChange = accepted.kind !== 'write' || accepted.before !== accepted.after;
    const why = [
      ...(decision.answer === 'ask' ? decision.reasons : []),
      ...(decision.answer === 'propose' ? [approvals.undoUncertain(decision.acts)] : []),
      ...(isText && isChange && this.#deps.rules().mode === 'review'
        ? [approvals.undoInReview]
        : []),
      ...(accepted.kind === 'delete' && !isOwnFile ? [approvals.undoDeletes(placeBefore)] : []),
      ...(takesUsersWords ? [approvals.undoTakesWords(placeBefore)] : []),
    ];
    const contents = folderContents(accepted, this.#deps.notes).map((path) =>
      movedPath(path, accepted.path, placeBefore),
    );
    const asked = { effect: { ...accepted, path: placeBefore }, reasons: why, held: [], contents };
    return !isChange || this.#deps.approval.allows(asked, accepted.path)
      ? null
      : refused(notAllowed(asked), 'not-allowed');
  }
}

function touched(effect: Effect): [PathAction, string][] {
  switch (effect.kind) {
    case 'create':
    case 'folder':
      return [['create', effect.path]];
    case 'hold':
      return [[effect.before === null ? 'create' : 'change', effect.path]];
    case 'write':
      return [['change', effect.path]];
    case 'delete':
      return [['delete', effect.path]];
    case 'move':
      return [
        ['move', effect.path],
        ['create', effect.to],
      ];
  }
}
