/**
 * The one decision: may this tool do this to this path, now? Every tool passes through it twice, once for itself and
 * once for each path it touches, and is answered with a reason that the model can act on.
 */
import type { Mode } from '#model/mode';
import type { Permission } from '#model/settings';
import { quote } from './paths';
import { protectedReason } from './protected';

/** What is about to be done to a path. */
export type Act = 'see' | 'read' | 'create' | 'change' | 'move' | 'delete';

export interface ToolQuestion {
  readonly about: 'tool';
  readonly tool: string;
  /** Whether it changes anything in the vault. */
  readonly changes: boolean;
  readonly permission: Permission;
  readonly mode: Mode;
}

export interface PathQuestion {
  readonly about: 'path';
  readonly act: Act;
  readonly path: string;
  /** The vault's configuration folder, whatever it is called. */
  readonly configDir: string;
  /** Where a link of the file system leads, if it leads out of the vault or into a protected place. */
  readonly escapes: string | null;
}

export type Decision =
  | { readonly answer: 'allow' }
  | { readonly answer: 'ask' }
  | {
      readonly answer: 'refuse';
      readonly by: 'mode' | 'permission' | 'path';
      readonly reason: string;
    };

const ALLOW: Decision = { answer: 'allow' };

export function decide(question: ToolQuestion | PathQuestion): Decision {
  return question.about === 'tool' ? decideTool(question) : decidePath(question);
}

function decideTool({ tool, changes, permission, mode }: ToolQuestion): Decision {
  if (permission === 'off') {
    return refuse(
      'permission',
      `${tool} is switched off in the person's settings. Go on without it, or say what you would need it for.`,
    );
  }
  if (mode === 'read-only' && changes) {
    return refuse(
      'mode',
      `${tool} was not run: this conversation is set to Read only, so nothing in the vault may be changed. Say what you would change; the person can switch to Apply.`,
    );
  }
  return permission === 'ask' ? { answer: 'ask' } : ALLOW;
}

function decidePath({ path, configDir, escapes }: PathQuestion): Decision {
  const reason = protectedReason(path, configDir);
  if (reason !== null) return refuse('path', reason);
  if (escapes !== null) {
    return refuse(
      'path',
      `${quote(path)} is a link that leads out of the vault or into a protected folder. It can't be read or changed.`,
    );
  }
  return ALLOW;
}

function refuse(by: 'mode' | 'permission' | 'path', reason: string): Decision {
  return { answer: 'refuse', by, reason };
}
