/** The text that a call is about to write to a note, while its input is still streaming. */
import { validSteps, type Turn } from './conversation';

/** The start of a string value of the fields in which tools take text. */
const TEXT_FIELD = /"(?:content|new_text)"\s*:\s*"/g;
/** The complete characters of a JSON string that may be cut off. */
const STRING_BODY = /^(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/u;

/** Empty if the turn is not writing. */
export function streamedText(turn: Turn): string {
  const calls =
    validSteps(turn)
      .at(-1)
      ?.live.filter(({ type }) => type === 'call') ?? [];
  return calls.map(({ text }) => textIn(text)).findLast((text) => text !== '') ?? '';
}

/** @param input the beginning of a JSON object */
function textIn(input: string): string {
  const field = [...input.matchAll(TEXT_FIELD)].at(-1);
  if (!field) return '';
  const [body = ''] = STRING_BODY.exec(input.slice(field.index + field[0].length)) ?? [];
  const text = JSON.parse(`"${body}"`) as string;
  // Half of a character that is written as two escapes.
  return text.replace(/[\uD800-\uDBFF]$/, '');
}
