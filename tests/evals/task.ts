/** A task of the evals as data: a vault, what the user does, how to judge it, and two scripts. */
import type { Answer } from '#workbench/model/server';
import { call, reply, type Reply } from '#workbench/model/replies';
import type { Check } from './checks/check';

/** Texts by path. */
export type Files = Readonly<Record<string, string>>;

/** The first step; the first call that may change a note; the end of the first that did. */
export type KillMoment = 'step-start' | 'change-start' | 'change-end';

export type Step =
  | {
      readonly do: 'send';
      readonly text: string;
      readonly source: 'typed' | 'voice' | 'text';
      /** Kills the program at this moment, and starts it again. */
      readonly killAt?: KillMoment;
      /** Says this, too, while a change runs for the first time. */
      readonly during?: string;
    }
  /** Decides one pending edit, counted from 0 over all notes, or all of them. */
  | { readonly do: 'accept' | 'reject'; readonly edit: number | 'all' }
  /** Undoes the last turn. */
  | { readonly do: 'undo' }
  /** The user replaces a passage of a note. */
  | { readonly do: 'type'; readonly path: string; readonly from: string; readonly to: string }
  | { readonly do: 'new-chat' };

export interface Task {
  /** Unique within its category. */
  readonly name: string;
  readonly files: Files;
  /** Settings by name. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
  /** Replies to the questions that the agent may ask, in order. A further question stays open. */
  readonly answers?: readonly string[];
  /** How the user decides approvals. Default: declines. */
  readonly approvals?: 'allow' | 'decline';
  /** All of them must hold. */
  readonly judge: readonly Check[];
  /** What a model replies that solves the task, one reply per step. */
  readonly solution: readonly Answer[];
  /** What a model replies that makes a likely mistake. */
  readonly mistake: readonly Answer[];
}

export interface Category {
  readonly name: string;
  readonly tasks: readonly Task[];
}

export function say(text: string, killAt?: KillMoment): Step {
  return { do: 'send', text, source: 'typed', ...(killAt === undefined ? {} : { killAt }) };
}

export function speak(text: string): Step {
  return { do: 'send', text, source: 'voice' };
}

/** Speaks, and says more while the first change is made. */
export function speakAgain(text: string, during: string): Step {
  return { do: 'send', text, source: 'voice', during };
}

export function typeInto(path: string, from: string, to: string): Step {
  return { do: 'type', path, from, to };
}

/** A reply with these tool calls: pairs of a name and an input. */
export function use(...calls: readonly (readonly [name: string, input: object])[]): Reply {
  return reply(...calls.map(([name, input]) => call(name, input)));
}

/** A placeholder for an id: that in the first line of the results that has these words. */
export function idOf(words: string): string {
  return `<id of ${words}>`;
}

export function edit(path: string, ...edits: readonly object[]): readonly [string, object] {
  return ['edit_file', { path, edits }];
}

export function swap(path: string, old_text: string, new_text: string): readonly [string, object] {
  return edit(path, { old_text, new_text });
}

export function append(path: string, content: string): readonly [string, object] {
  return edit(path, { position: 'end', content });
}

export function write(path: string, content: string): readonly [string, object] {
  return ['write_file', { path, content }];
}

export function read(path: string): readonly [string, object] {
  return ['read_file', { path }];
}

export function finish(
  summary: string,
  outcome: 'done' | 'partly' | 'not_done' = 'done',
): readonly [string, object] {
  return ['done', { summary, outcome }];
}
