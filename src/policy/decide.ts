/**
 * The one decision: may this tool do this to this path, now? Every tool passes through it twice, once for itself and
 * once for each path it touches, and is answered with a reason that the model can act on.
 */
import type { Permission } from '#model/settings';
import { quote } from './paths';
import { protectedReason } from './protected';

/** What is about to be done to a path. */
export type Act = 'see' | 'read' | 'create' | 'change' | 'move' | 'delete';

export interface ToolQuestion {
  readonly about: 'tool';
  readonly tool: string;
  readonly permission: Permission;
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
  | { readonly answer: 'refuse'; readonly reason: string };

const ALLOW: Decision = { answer: 'allow' };

export function decide(question: ToolQuestion | PathQuestion): Decision {
  return question.about === 'tool' ? decideTool(question) : decidePath(question);
}

function decideTool({ tool, permission }: ToolQuestion): Decision {
  if (permission === 'off') {
    return refuse(
      `${tool} is switched off in the person's settings. Go on without it, or say what you would need it for.`,
    );
  }
  return permission === 'ask' ? { answer: 'ask' } : ALLOW;
}

function decidePath({ path, configDir, escapes }: PathQuestion): Decision {
  const reason = protectedReason(path, configDir);
  if (reason !== null) return refuse(reason);
  if (escapes !== null) {
    return refuse(
      `${quote(path)} is a link that leads out of the vault or into a protected folder. It can't be read or changed.`,
    );
  }
  return ALLOW;
}

function refuse(reason: string): Decision {
  return { answer: 'refuse', reason };
}
