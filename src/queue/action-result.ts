/**
 * Converts the outcome of a user's action: a sentence, or a file system error, becomes the problem
 * of an `ActionResult`.
 */
import * as t from '#messages/action-messages';
import { fileErrorText, isFileError } from '#messages/failures';
import type { ActionResult } from '#model/failure';
import { InboxFullError } from './inbox';

/** Runs an action. `work` returns a sentence if the action is impossible. */
export function toResult<Value extends object>(
  work: () => Promise<Value | string>,
): Promise<ActionResult<Value>> {
  return resultOrProblem(async (): Promise<ActionResult<Value>> => {
    const value = await work();
    return typeof value === 'string' ? problemResult(value) : { ok: true, ...value };
  });
}

export async function resultOrProblem<Value>(
  work: () => Promise<ActionResult<Value>>,
): Promise<ActionResult<Value>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof InboxFullError) return problemResult(error.message);
    if (!isFileError(error)) throw error;
    return problemResult(fileErrorText(error));
  }
}

export function problemResult(problem: string): { ok: false; reason: string } {
  return { ok: false, reason: problem };
}

/** A longer request is a mistake: no model accepts it. */
const MAX_REQUEST_CHARS = 1_000_000;

/** Why a text cannot be sent, or null. */
export function textFault(text: string): string | null {
  if (text === '') return t.emptyRequest;
  return text.length > MAX_REQUEST_CHARS ? t.requestTooLong(text.length, MAX_REQUEST_CHARS) : null;
}
