/** One utterance may be delivered several times, each under an id of its own. */
const ECHO_WITHIN = 5_000;

export interface Heard {
  readonly messageId: string;
  readonly text: string;
  /** When it arrived, in milliseconds since 1970 by this device's clock. */
  readonly at: number;
}

/**
 * The id under which the same words came a moment ago, if they did: then this is the same request, to be saved once,
 * acked under both ids and answered under both.
 *
 * @param heard what was taken as a request of its own; echoes are not listed
 * @param now when `message` arrived
 */
export function echoOf(
  message: { readonly id: string; readonly text: string },
  heard: Iterable<Heard>,
  now: number,
): string | null {
  const words = spoken(message.text);
  for (const { messageId, text, at } of heard) {
    const isRecent = Math.abs(now - at) <= ECHO_WITHIN;
    if (isRecent && messageId !== message.id && spoken(text) === words) return messageId;
  }
  return null;
}

/** What was said, without what only writing adds. */
function spoken(text: string): string {
  const words = text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
  let end = words.length;
  while (end > 0 && ' .!?…'.includes(words.charAt(end - 1))) end -= 1;
  return words.slice(0, end);
}
