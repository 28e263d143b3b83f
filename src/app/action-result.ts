/** What a person asked, as it is answered: a sentence, or a refusal of the file system, becomes the reason why not. */
import { fileFailure } from '#model/failure';
import type { Asked } from '#ports/agent';

/** Runs what was asked; `work` gives a sentence where it can't be. */
export function answered<Value extends object>(
  work: () => Promise<Value | string>,
): Promise<Asked<Value>> {
  return orRefusal(async (): Promise<Asked<Value>> => {
    const value = await work();
    return typeof value === 'string' ? refused(value) : { ok: true, ...value };
  });
}

export async function orRefusal<Value>(work: () => Promise<Asked<Value>>): Promise<Asked<Value>> {
  try {
    return await work();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { sentence, next, detail } = fileFailure(error);
    return refused(`${sentence} ${next}${detail ? ` (${detail})` : ''}`);
  }
}

export function refused(problem: string): { ok: false; problem: string } {
  return { ok: false, problem };
}

/** Of the file system; anything else is a mistake of ours. */
export function isRefusal(error: unknown): boolean {
  return typeof (error as { code?: unknown } | null)?.code === 'string';
}

/** A request longer than this is a mistake: no model takes it. */
const LONGEST_REQUEST = 1_000_000;

/** Why a text can't be sent; null where it can. */
export function textFault(text: string): string | null {
  if (text === '') return 'There is nothing to send: the text is empty.';
  return text.length > LONGEST_REQUEST
    ? `The text is too long: ${text.length} characters, at most ${LONGEST_REQUEST}.`
    : null;
}
