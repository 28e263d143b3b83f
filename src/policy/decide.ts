/**
 * The policy: may this tool do this to this path now? Every tool call is decided once for the tool,
 * for each path it touches, and for each change it makes. A refusal gives a reason that the model
 * can act on.
 */
import * as approvals from '#messages/approval-messages';
import type { Effect } from '#model/change';
import type { Mode, EditableScope, Permission } from '#model/setting-choices';
import { clip, oneLine } from '#text/shorten';
import { excludedReason, type ExcludedFolder } from './hidden-notes';
import { notFoundText } from './look-up';
import { isNote, quote } from '#text/paths';
import { instructionsIn } from './instruction-files';
import { protectedReason } from './protected-paths';
import {
  type AddedPart,
  addedUncertainParts,
  changesReading,
  uncertainPartsOf,
} from './uncertain-content';
import { changeKind, type ReadProperties } from '#text/change-kind';

/** What a tool call is about to do with a path; `see` means to learn that it exists. */
export type PathAction = 'see' | 'read' | 'create' | 'change' | 'move' | 'delete';

/** Actions that the user allows in general. */
export interface Capabilities {
  readonly add: boolean;
  readonly replace: boolean;
  readonly create: boolean;
  readonly navigate: boolean;
}

export interface ToolQuestion {
  readonly about: 'tool';
  readonly tool: string;
  /** Whether the tool changes the vault. */
  readonly changes: boolean;
  /**
   * Set for a tool of an MCP server, which is not bound by these rules. `claims-to-read`: the
   * server says that the tool changes nothing.
   */
  readonly outside?: 'acts' | 'claims-to-read';
  /** Whether the tool opens notes or runs commands. */
  readonly navigates: boolean;
  readonly permission: Permission;
  readonly mode: Mode;
  readonly capabilities: Capabilities;
  /** Whether the turn is about one pending edit, and may change nothing else. */
  readonly isAboutHunk: boolean;
}

export interface PathQuestion {
  readonly about: 'path';
  readonly act: PathAction;
  readonly path: string;
  /** Path of the vault's configuration folder. */
  readonly configDir: string;
  readonly excluded: readonly ExcludedFolder[];
  /**
   * Where a symbolic link leads, if it leads out of the vault or into a protected place; otherwise
   * null.
   */
  readonly escapes: string | null;
  /**
   * Whether the note has the excluded tag; for `create`, whether a note with that tag is at or
   * above the new path.
   */
  readonly isHidden: boolean;
}

export interface EffectQuestion {
  readonly about: 'effect';
  readonly effect: Effect;
  readonly readProperties: ReadProperties;
  readonly mode: Mode;
  readonly capabilities: Capabilities;
  readonly scope: EditableScope;
  /** The path that is out of scope; null if everything is in scope. */
  readonly outOfScope: string | null;
  /** Why it goes beyond the pending edit that the request is about; null if it does not. */
  readonly beyondHunk: string | null;
  /** Folders and notes of the settings that instruct agents or plugins. */
  readonly instructions: readonly string[];
  /** Text of a file that a move gives another extension; otherwise null. */
  readonly renamed: string | null;
}

export interface AddressQuestion {
  readonly about: 'address';
  /** Where exactly this URL comes from; null if the model made it up. */
  readonly givenBy: 'user' | 'search' | null;
  /** Number of pages of this site, not named by the user, that were read in this conversation. */
  readonly pagesOfSite: number;
}

export interface OpenQuestion {
  readonly about: 'open';
  /** Whether the note, or one that it links to or embeds, was written in the same turn. */
  readonly isWritten: boolean;
}

/** A whole call, from the changes that it would make. */
export interface CallQuestion {
  readonly about: 'call';
  /** Number of notes, files and folders that it changes. */
  readonly notes: number;
}

export type RefusedBy = 'mode' | 'permission' | 'path' | 'capability' | 'scope' | 'hunk';

export type Decision =
  | { readonly answer: 'allow' }
  /** `reasons` are shown to the user; empty if the setting of the tool is "ask". */
  | { readonly answer: 'ask'; readonly reasons: readonly string[] }
  /** The change is not certainly inert, so it waits in the note; `acts` say what it does. */
  | { readonly answer: 'propose'; readonly acts: readonly string[] }
  | { readonly answer: 'refuse'; readonly by: RefusedBy; readonly reason: string };

/** Pages that a search has found may be read unasked up to this number per site. */
const MAX_PAGES_OF_SITE = 2;

/** A call that changes this many notes asks, whatever the mode. */
export const MANY_NOTES = 10;

const ALLOW: Decision = { answer: 'allow' };

export function decide(
  question:
    ToolQuestion | PathQuestion | EffectQuestion | CallQuestion | AddressQuestion | OpenQuestion,
): Decision {
  switch (question.about) {
    case 'tool':
      return decideTool(question);
    case 'path':
      return decidePath(question);
    case 'effect':
      return decideEffect(question);
    case 'call':
      return question.notes < MANY_NOTES
        ? ALLOW
        : { answer: 'ask', reasons: [approvals.changesMany(question.notes)] };
    case 'address':
      return decideAddress(question);
    case 'open':
      return question.isWritten ? { answer: 'ask', reasons: [approvals.justWritten] } : ALLOW;
  }
}

function decideAddress({ givenBy, pagesOfSite }: AddressQuestion): Decision {
  if (givenBy === 'user') return ALLOW;
  // The server of a page sees the whole URL, which can contain data from notes.
  if (givenBy === null) return { answer: 'ask', reasons: [approvals.addressNotGiven] };
  // The choice between many found pages of one owner can also encode data.
  return pagesOfSite < MAX_PAGES_OF_SITE
    ? ALLOW
    : { answer: 'ask', reasons: [approvals.manyPagesOfSite] };
}

function decideTool(question: ToolQuestion): Decision {
  const { tool, changes, outside, navigates, permission, mode, capabilities } = question;
  const runsCommands = changes && navigates;
  if (permission === 'off') {
    return refuse(
      'permission',
      `${tool} is switched off in the user's settings. Go on without it, or say what you would need it for.`,
    );
  }
  if (mode === 'read-only' && (changes || outside === 'acts')) {
    return refuse(
      'mode',
      `${tool} was not run: this conversation is set to Read only, so nothing in the vault may be changed. Say what you would change; the user can switch to Review or Apply.`,
    );
  }
  if (question.isAboutHunk && (outside === 'acts' || runsCommands)) {
    return refuse(
      'hunk',
      `${tool} was not run: this request is about one proposed edit, and only its text may be changed. If the user asked for more, say that they can ask for it in the chat.`,
    );
  }
  if (navigates && !capabilities.navigate)
    return refuse('capability', switchedOff('opening notes'));
  if (mode === 'read-only' && outside) {
    // Ask despite the server's claim, because it may be able to write to the vault's folder.
    return {
      answer: 'ask',
      reasons: [approvals.serverSaysItReads],
    };
  }
  return permission === 'ask' ? { answer: 'ask', reasons: [] } : ALLOW;
}

function decidePath(question: PathQuestion): Decision {
  const { act, path, configDir, excluded, escapes, isHidden } = question;
  const reason = protectedReason(path, configDir) ?? excludedReason(path, excluded);
  if (reason !== null) return refuse('path', reason);
  if (escapes !== null) {
    return refuse(
      'path',
      `${quote(path)} is a link that leads out of the vault or into a protected folder. It can't be read or changed.`,
    );
  }
  if (isHidden) return refuse('path', act === 'create' ? NOT_POSSIBLE : notFoundText(path, []));
  return ALLOW;
}

/** The only message to use if a hidden note is in the way, so that it reveals nothing. */
export const NOT_POSSIBLE = 'Not possible here.';

function decideEffect(question: EffectQuestion): Decision {
  const { effect, mode, capabilities, scope, outOfScope } = question;
  if (mode === 'read-only') {
    return refuse(
      'mode',
      'This conversation is set to Read only, so nothing was changed. Say what you would change; the user can switch to Review or Apply.',
    );
  }
  if (question.beyondHunk !== null) return refuse('hunk', question.beyondHunk);
  const need = capabilityNeeded(effect, question.readProperties);
  if (need !== null && !capabilities[need]) return refuse('capability', switchedOff(NEEDS[need]));
  if (need !== 'create' && outOfScope !== null) {
    return refuse(
      'scope',
      `${quote(outOfScope)} is outside of what may be edited: ${SCOPE_WORDS[scope]}, and what was created in this conversation. Nothing was changed. Say what you would change; the user can widen the scope in Parley's settings.`,
    );
  }
  return decideContent(question);
}

type Need = 'add' | 'replace' | 'create';

/** The capability that a change requires; null if it changes nothing. */
function capabilityNeeded(effect: Effect, readProperties: ReadProperties): Need | null {
  switch (effect.kind) {
    case 'create':
    case 'folder':
      return 'create';
    case 'move':
    case 'delete':
      return 'replace';
    case 'write':
    case 'hold': {
      if (effect.before === null) return 'create';
      const change = changeKind(effect.before, effect.after, readProperties);
      return change === 'none' ? null : change;
    }
  }
}

const NEEDS: Record<Need, string> = {
  add: 'adding to notes',
  replace: 'moving, deleting, or replacing text or property values',
  create: 'creating notes or folders',
};

function switchedOff(what: string): string {
  return `The user's settings do not allow ${what}, so nothing was done. Say what you would do; do not try it another way.`;
}

const SCOPE_WORDS: Record<EditableScope, string> = {
  current: 'only the note that was open when this was asked',
  linked: 'only the note that was open when this was asked and those it links to',
  context: 'only what the user attached, and the linked notes that came with it',
  vault: 'all notes',
};

/** Judges what the change writes, and where. */
function decideContent(question: EffectQuestion): Decision {
  const { effect, instructions } = question;
  const place = instructionsIn(effect, instructions);
  const parts = uncertainIn(question);
  const isProposable = effect.kind === 'create' || effect.kind === 'write';
  if (place === null && parts.length > 0 && isProposable && isNote(effect.path))
    return { answer: 'propose', acts: [...new Set(parts.map(({ act }) => act))] };
  const why = [
    ...(place === null ? [] : [approvals.changesInstructions(place)]),
    ...parts.map(({ act, text }) => approvals.uncertainText(act, excerptOf(text))),
  ];
  return why.length > 0 ? { answer: 'ask', reasons: why } : ALLOW;
}

function uncertainIn({ effect, renamed, readProperties }: EffectQuestion): AddedPart[] {
  switch (effect.kind) {
    case 'create':
      return addedUncertainParts(effect.path, '', effect.after, readProperties);
    case 'write':
    case 'hold':
      return addedUncertainParts(effect.path, effect.before ?? '', effect.after, readProperties);
    case 'move':
      return [
        ...uncertainPartsOf(effect.to, renamed ?? '', readProperties).map(changesReading),
        ...newSigns(effect),
      ];
    default:
      return [];
  }
}

/** Links are rewritten to the new name, wherever they are; such a sign may end or begin what is around. */
function newSigns({ path, to }: Extract<Effect, { kind: 'move' }>): AddedPart[] {
  if ((to.match(/[`$]|%%/g) ?? []).every((sign) => path.includes(sign))) return [];
  const what = 'a sign of code, comments or formulas';
  return [{ what, act: `puts ${what} into links`, text: to, key: to }];
}

const MAX_EXCERPT_CHARS = 200;

function excerptOf(text: string): string {
  return clip(oneLine(text), MAX_EXCERPT_CHARS, ' …');
}

function refuse(by: RefusedBy, reason: string): Decision {
  return { answer: 'refuse', by, reason };
}
