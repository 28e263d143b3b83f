/**
 * The one decision: may this tool do this to this path, now? Every tool passes through it for itself, for each path it
 * touches and for each change it makes, and is answered with a reason that the model can act on.
 */
import type { Effect } from '#model/change';
import type { Mode, EditableScope, Permission } from '#model/settings';
import { excludedReason, type ExcludedFolder } from './hidden-notes';
import { instructionsIn } from './instructions';
import { missing } from './look-up';
import { quote, protectedReason } from './paths';
import { addedActiveContent, type ActiveContent } from './active-content';
import { changeKind } from './front-matter-change';

/** What is about to be done to a path. */
export type PathAction = 'see' | 'read' | 'create' | 'change' | 'move' | 'delete';

/** What the user lets the agent do at all. */
export interface Capabilities {
  readonly add: boolean;
  readonly replace: boolean;
  readonly create: boolean;
  readonly navigate: boolean;
}

export interface ToolQuestion {
  readonly about: 'tool';
  readonly tool: string;
  /** Whether it changes anything in the vault. */
  readonly changes: boolean;
  /** Done where nothing binds it; `claims-to-read`: whoever does it says that it changes nothing. */
  readonly outside?: 'acts' | 'claims-to-read';
  /** Whether it opens notes or runs commands. */
  readonly navigates: boolean;
  readonly permission: Permission;
  readonly mode: Mode;
  readonly capabilities: Capabilities;
}

export interface PathQuestion {
  readonly about: 'path';
  readonly act: PathAction;
  readonly path: string;
  /** The vault's configuration folder, whatever it is called. */
  readonly configDir: string;
  readonly excluded: readonly ExcludedFolder[];
  /** Where a link of the file system leads, if it leads out of the vault or into a protected place. */
  readonly escapes: string | null;
  /** A note bears the excluded tag; for `create`, one in whose place or shadow this would come to be. */
  readonly isHidden: boolean;
}

export interface EffectQuestion {
  readonly about: 'effect';
  readonly effect: Effect;
  readonly mode: Mode;
  readonly capabilities: Capabilities;
  readonly scope: EditableScope;
  /** What of it the scope does not reach; null where it reaches all. */
  readonly outOfScope: string | null;
  /** Where instructions and templates lie, besides `AGENTS.md`. */
  readonly instructions: readonly string[];
  /** The text of a file that becomes one of another kind by being renamed; null otherwise. */
  readonly renamed: string | null;
}

export interface AddressQuestion {
  readonly about: 'address';
  /** Whether the user or a search has named exactly this URL. */
  readonly isGiven: boolean;
}

export type RefusedBy = 'mode' | 'permission' | 'path' | 'capability' | 'scope';

export type Decision =
  | { readonly answer: 'allow' }
  /** `why`: what the user has to know of it, line by line; none where it is only set to ask. */
  | { readonly answer: 'ask'; readonly why: readonly string[] }
  | { readonly answer: 'refuse'; readonly by: RefusedBy; readonly reason: string };

const NOT_GIVEN =
  'Neither you nor a search gave exactly this address. Its server will see everything in it.';

const ALLOW: Decision = { answer: 'allow' };

export function decide(
  question: ToolQuestion | PathQuestion | EffectQuestion | AddressQuestion,
): Decision {
  switch (question.about) {
    case 'tool':
      return decideTool(question);
    case 'path':
      return decidePath(question);
    case 'effect':
      return decideEffect(question);
    case 'address':
      // Whoever is asked for a page learns its whole address, in which anything can be written.
      return question.isGiven ? ALLOW : { answer: 'ask', why: [NOT_GIVEN] };
  }
}

function decideTool(question: ToolQuestion): Decision {
  const { tool, changes, outside, navigates, permission, mode, capabilities } = question;
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
  if (navigates && !capabilities.navigate)
    return refuse('capability', switchedOff('Opening notes'));
  if (mode === 'read-only' && outside) {
    // A server's word is no reason to skip the question: the vault may lie where it can write.
    return {
      answer: 'ask',
      why: [
        'This chat is set to Read only. The server says that this only reads, which Parley cannot check.',
      ],
    };
  }
  return permission === 'ask' ? { answer: 'ask', why: [] } : ALLOW;
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
  if (isHidden) return refuse('path', act === 'create' ? NOT_POSSIBLE : missing(path, []));
  return ALLOW;
}

/** All that may be said where a hidden note is in the way. */
export const NOT_POSSIBLE = 'Not possible here.';

function decideEffect(question: EffectQuestion): Decision {
  const { effect, mode, capabilities, scope, outOfScope } = question;
  if (mode === 'read-only') {
    return refuse(
      'mode',
      'This conversation is set to Read only, so nothing was changed. Say what you would change; the user can switch to Review or Apply.',
    );
  }
  const need = needOf(effect);
  if (need !== null && !capabilities[need]) return refuse('capability', switchedOff(NEEDS[need]));
  if (need !== 'create' && outOfScope !== null) {
    return refuse(
      'scope',
      `${quote(outOfScope)} is outside of what may be edited: ${SCOPE_WORDS[scope]}, and what was created in this conversation. Nothing was changed. Say what you would change; the user can widen the scope in Parley's settings.`,
    );
  }
  const why = whyAsk(question);
  return why.length > 0 ? { answer: 'ask', why } : ALLOW;
}

type Need = 'add' | 'replace' | 'create';

/** Which capability a change needs; null for one that changes nothing. */
export function needOf(effect: Effect): Need | null {
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
      const change = changeKind(effect.before, effect.after);
      return change === 'none' ? null : change;
    }
  }
}

const NEEDS: Record<Need, string> = {
  add: 'Adding to notes',
  replace: 'Moving, deleting and replacing (text and property values)',
  create: 'Creating notes and folders',
};

function switchedOff(what: string): string {
  return `${what} is switched off in the user's settings, so nothing was changed. Say what you would do; do not try it another way.`;
}

const SCOPE_WORDS: Record<EditableScope, string> = {
  current: 'only the note that was open when this was asked',
  linked: 'only the note that was open when this was asked and those it links to',
  context: 'only what the user attached',
  vault: 'all notes',
};

function whyAsk({ effect, instructions, renamed }: EffectQuestion): string[] {
  const place = instructionsIn(effect, instructions);
  const why = place === null ? [] : [`${place} tells agents or plugins what to do.`];
  for (const { what, text } of runningIn(effect, renamed)) {
    why.push(`It adds text that runs code or loads from elsewhere, ${what}: ${shortened(text)}`);
  }
  return why;
}

function runningIn(effect: Effect, renamed: string | null): ActiveContent[] {
  switch (effect.kind) {
    case 'create':
      return addedActiveContent(effect.path, '', effect.after);
    case 'write':
    case 'hold':
      return addedActiveContent(effect.path, effect.before ?? '', effect.after);
    case 'move':
      return renamed === null ? [] : addedActiveContent(effect.to, '', renamed);
    default:
      return [];
  }
}

const MAX_EXCERPT_CHARS = 200;

function shortened(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > MAX_EXCERPT_CHARS
    ? `${line.slice(0, MAX_EXCERPT_CHARS).replace(/[\uD800-\uDBFF]$/, '')} …`
    : line;
}

function refuse(by: RefusedBy, reason: string): Decision {
  return { answer: 'refuse', by, reason };
}
