/** A sent reply, and its comparison with what a later request sends back. */
import { isRecord, type WireBlock } from './wire';

export interface SentReply {
  readonly content: readonly WireBlock[];
  readonly stopReason?: string | undefined;
  /**
   * The reply did not arrive completely, so it must not come back. May be set after the reply was
   * registered.
   */
  cut: boolean;
}

/**
 * How many of these blocks match the reply, or 0 for no match. Empty texts of the reply may be
 * missing.
 */
export function matched(reply: SentReply, blocks: readonly WireBlock[]): number {
  let at = 0;
  for (const said of reply.content) {
    if (said.type === 'text' && String(said.text ?? '').trim() === '') continue;
    const unfinished = said.type === 'tool_use' && said.input === undefined;
    const back = blocks[at];
    if (back && sameBlock(said, back)) at += 1;
    // A call with cut input does not count; a malformed one must be answered.
    else if (unfinished && reply.stopReason !== 'tool_use') continue;
    else return 0;
  }
  return at;
}

export function beginsLike(reply: SentReply, blocks: readonly WireBlock[]): boolean {
  const said = reply.content[0];
  const back = blocks[0];
  if (!said || !back || said.type !== back.type) return false;
  if (said.type === 'text') return String(said.text).startsWith(String(back.text));
  if (said.type === 'thinking') return String(said.thinking).startsWith(String(back.thinking));
  return sameBlock(said, back);
}

function sameBlock(said: WireBlock, back: WireBlock): boolean {
  const fields = said.type === 'text' ? ['type', 'text'] : Object.keys(said);
  return fields.every(
    (field) =>
      field === 'caller' ||
      said[field] === undefined ||
      JSON.stringify(said[field]) === JSON.stringify(back[field]),
  );
}

/**
 * Whether the client may replace this reply with its own note: it did not arrive completely,
 * contains no text or calls, or was refused. The API accepts neither empty messages nor messages
 * with only thinking.
 */
export function mayBeLeftOut(reply: SentReply): boolean {
  const declined = ['refusal', 'model_context_window_exceeded'].includes(reply.stopReason ?? '');
  return reply.cut || declined || reply.content.every(isEmptyReply);
}

function isEmptyReply(block: WireBlock): boolean {
  return /thinking$/.test(block.type) || (isText(block) && String(block.text ?? '').trim() === '');
}

export function isText(block: WireBlock): boolean {
  return block.type === 'text';
}

export function thoughtKey(block: WireBlock): string {
  return isRecord(block) ? String(block.signature ?? block.data ?? '') : '';
}
