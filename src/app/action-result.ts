/** What a user asked, as it is answered: a sentence, or a refusal of the file system, becomes the reason why not. */
import { fileFailure } from '#model/failure';
import type { ActionResult } from '#ports/agent';

/** Runs what was asked; `work` gives a sentence where it can't be. */
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
    if (!isFileProblem(error)) throw error;
    const { sentence, next, detail } = fileFailure(error);
    return problemResult(`${sentence} ${next}${detail ? ` (${detail})` : ''}`);
  }
}

export function problemResult(problem: string): { ok: false; problem: string } {
  return { ok: false, problem };
}

/** Of the file system; anything else is a mistake of ours. */
export function isFileProblem(error: unknown): boolean {
  return typeof (error as { code?: unknown } | null)?.code === 'string';
}

/** A request longer than this is a mistake: no model takes it. */
const MAX_REQUEST_CHARS = 1_000_000;

/** Why a text can't be sent; null where it can. */
export function textFault(text: string): string | null {
  if (text === '') return 'There is nothing to send: the text is empty.';
  return text.length > MAX_REQUEST_CHARS
    ? `The text is too long: ${text.length} characters, at most ${MAX_REQUEST_CHARS}.`
    : null;
}
