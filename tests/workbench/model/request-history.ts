/**
 * Checks requests against the ones before. Requests are kept as a tree of prefixes, with each reply
 * at the exact prompt it answered, so that a later request reveals any change of the history before
 * a reply.
 */
import { createHash } from 'node:crypto';
import { blocksOf, isRecord, type ModelRequest, type WireBlock, withoutMarks } from './wire';

export interface RequestHistory {
  check(request: ModelRequest): string[];
  sent(request: ModelRequest, reply: SentReply): void;
}

interface Prompt {
  readonly base: string;
  /** Hash of the first message, which identifies a conversation. */
  readonly opening: string;
  readonly blocks: readonly { readonly role: string; readonly block: WireBlock }[];
  readonly messageOf: readonly number[];
  /** `keys[n]` is the hash of the base and the first n blocks. */
  readonly keys: readonly string[];
}

export function requestHistory(options: { readonly forks?: boolean } = {}): RequestHistory {
  const replies = new Map<string, SentReply[]>();
  const known = new Set<string>();
  const tails = new Map<string, (readonly string[])[]>();
  /** Prefixes after which the client added text of its own. */
  const additions = new Set<string>();
  const bases = new Map<string, Set<string>>();
  const calledUnder = new Map<string, string>();
  const thoughts = new Set<string>();

  /** Checks all runs of assistant blocks; returns the end of the last one. */
  function checkReplies(prompt: Prompt, complain: (violation: string) => void): number {
    const last = prompt.blocks.length;
    const otherBases = bases.get(prompt.opening);
    let lastEnd = 0;
    // Whether everything up to here was sent and answered, or may follow that for the first time.
    let isSure = false;
    for (let at = 0; at < last;) {
      if (prompt.blocks[at]?.role !== 'assistant') {
        at += 1;
        continue;
      }
      const end = runEnd(prompt, at);
      const run = prompt.blocks.slice(at, end).map(({ block }) => block);
      const where = `message ${prompt.messageOf[at]}`;
      // A turn that ended before its results could be sent: nothing else was sent after this
      // prefix.
      const before = key(prompt, lastEnd);
      const isNew = !tails.has(before) && !additions.has(before);
      const isAddition = isSure && run.every(isText) && isNew;
      isSure = true;
      const say = (violation: string) => {
        isSure = false;
        complain(violation);
      };
      if (!known.has(key(prompt, end))) {
        const given = replies.get(key(prompt, at));
        if (given) checkRun(prompt, at, end, where, say);
        else if (known.has(key(prompt, at))) {
          // There was no reply, so the client may put its own note here.
          if (!run.every(isText)) say(`${where} is not what the model said there`);
        } else if (isAddition) {
          // The client describes the ended turn, so that roles alternate.
          additions.add(before);
        } else if (otherBases?.has(prompt.base)) {
          say(`the history before ${where} is not what was sent before`);
        } else if (run.some((block) => thoughts.has(thoughtKey(block)))) {
          say(`${where} holds thinking from before, under another prompt, tools, model or history`);
        } else {
          isSure = false;
        }
      }
      at = lastEnd = end;
    }
    return lastEnd;
  }

  /**
   * Compares a run of assistant blocks with the replies given there; a paused reply may be
   * continued.
   */
  function checkRun(
    prompt: Prompt,
    from: number,
    end: number,
    where: string,
    say: (violation: string) => void,
  ): void {
    let at = from;
    while (at < end) {
      const given = replies.get(key(prompt, at)) ?? [];
      const rest = prompt.blocks.slice(at, end).map(({ block }) => block);
      const found = given
        .filter((reply) => !reply.cut || given.every((other) => other.cut))
        .map((reply) => ({ reply, length: matched(reply, rest) }))
        .filter(({ reply, length }) => length === rest.length || reply.stopReason === 'pause_turn')
        .sort((one, other) => other.length - one.length)[0];
      if (found?.reply.cut && found.length > 0) return say(`${where} is a reply that was cut`);
      if (!found || found.length === 0) {
        const cut = given.some((reply) => reply.cut && beginsLike(reply, rest));
        if (!cut && given.every(mayBeLeftOut) && rest.every(isText)) return;
        return say(
          cut ? `${where} is a reply that was cut` : `${where} is not what the model said there`,
        );
      }
      at += found.length;
    }
  }

  function checkTail(prompt: Prompt, from: number, say: (violation: string) => void): void {
    const at = key(prompt, from);
    const tail = prompt.keys.slice(from + 1);
    const seen = tails.get(at) ?? [];
    const same = seen.findIndex((other) => other.every((one, index) => tail[index] === one));
    if (same >= 0) {
      tails.set(at, seen.with(same, tail));
      return;
    }
    tails.set(at, [...seen, tail]);
    // The same message may open several conversations, and a reply given twice may be continued
    // twice.
    if (from === 0 || options.forks) return;
    let given = 1;
    for (let start = from - 1; start >= 0; start -= 1) {
      if (prompt.blocks[start]?.role !== 'assistant') break;
      given = Math.max(given, (replies.get(key(prompt, start)) ?? []).length);
    }
    if (seen.length >= given) {
      say(`what follows message ${prompt.messageOf[from - 1]} is not what was sent before`);
    }
  }

  /** A history may only start over with a summary of what came before. */
  function checkBeginning(prompt: Prompt, say: (violation: string) => void): void {
    if (bases.has(prompt.opening) || beginsWithSummary(prompt)) return;
    const old = prompt.blocks.find(({ block }) => calledUnder.has(String(block.id)));
    if (old)
      say(
        `the history restarts without a summary, and call ${String(old.block.id)} is from before`,
      );
  }

  function checkBase(prompt: Prompt, say: (violation: string) => void): void {
    const seen = bases.get(prompt.opening);
    if (!seen) {
      bases.set(prompt.opening, new Set([prompt.base]));
      return;
    }
    const results = prompt.blocks.slice(runStart(prompt)).map(({ block }) => block);
    const under = results
      .map((block) => calledUnder.get(String(block.tool_use_id)))
      .find((base) => base !== undefined);
    if (under !== undefined && under !== prompt.base && !seen.has(prompt.base)) {
      say('system, tools or model changed in the middle of a turn');
    }
    seen.add(prompt.base);
  }

  return {
    check(request) {
      const found: string[] = [];
      const say = (violation: string) => found.push(violation);
      const prompt = promptOf(request);
      const lastEnd = checkReplies(prompt, say);
      checkBeginning(prompt, say);
      checkBase(prompt, say);
      const final = prompt.blocks.at(-1);
      if (final?.role === 'assistant') {
        if (!endsPaused(prompt, replies)) say('the last message is the assistant’s');
      } else {
        checkTail(prompt, lastEnd, say);
      }
      // Report each violation once: later requests are compared with what was sent.
      for (const one of prompt.keys) known.add(one);
      return found;
    },
    sent(request, reply) {
      const prompt = promptOf(request);
      const at = key(prompt, prompt.blocks.length);
      replies.set(at, [...(replies.get(at) ?? []), reply]);
      for (const block of reply.content) {
        if (/thinking$/.test(block.type)) thoughts.add(thoughtKey(block));
        if (block.type === 'tool_use') calledUnder.set(String(block.id), prompt.base);
      }
    },
  };
}

function promptOf(request: ModelRequest): Prompt {
  const { model, system = null, tools = [] } = request;
  const base = digest(JSON.stringify(withoutMarks([model, blocksOf(system), tools])));
  const blocks: { role: string; block: WireBlock }[] = [];
  const messageOf: number[] = [];
  const keys = [base];
  request.messages.forEach((message, index) => {
    for (const block of blocksOf(message.content)) {
      blocks.push({ role: message.role, block });
      messageOf.push(index);
      const text = JSON.stringify(withoutMarks(block));
      keys.push(digest(`${keys.at(-1)}\n${message.role}\n${text}`));
    }
  });
  const first = request.messages[0];
  const opening = digest(JSON.stringify(withoutMarks(first ? blocksOf(first.content) : [])));
  return { base, opening, blocks, messageOf, keys };
}

function key(prompt: Prompt, length: number): string {
  return prompt.keys[length] ?? '';
}

function runEnd({ blocks }: Prompt, from: number): number {
  let end = from;
  while (blocks[end]?.role === 'assistant') end += 1;
  return end;
}

/** Start of the last run of user blocks. */
function runStart({ blocks }: Prompt): number {
  return blocks.findLastIndex(({ role }) => role === 'assistant') + 1;
}

function beginsWithSummary({ blocks }: Prompt): boolean {
  return String(blocks[0]?.block.text ?? '').startsWith('<summary>');
}

function endsPaused(prompt: Prompt, replies: ReadonlyMap<string, readonly SentReply[]>): boolean {
  for (let at = runStart(prompt) - 1; at >= 0; at -= 1) {
    const rest = prompt.blocks.slice(at).map(({ block }) => block);
    for (const reply of replies.get(key(prompt, at)) ?? []) {
      if (reply.stopReason === 'pause_turn' && matched(reply, rest) === rest.length) return true;
    }
  }
  return false;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

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
function matched(reply: SentReply, blocks: readonly WireBlock[]): number {
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

function beginsLike(reply: SentReply, blocks: readonly WireBlock[]): boolean {
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
function mayBeLeftOut(reply: SentReply): boolean {
  const declined = ['refusal', 'model_context_window_exceeded'].includes(reply.stopReason ?? '');
  return reply.cut || declined || reply.content.every(isEmptyReply);
}

function isEmptyReply(block: WireBlock): boolean {
  return /thinking$/.test(block.type) || (isText(block) && String(block.text ?? '').trim() === '');
}

function isText(block: WireBlock): boolean {
  return block.type === 'text';
}

function thoughtKey(block: WireBlock): string {
  return isRecord(block) ? String(block.signature ?? block.data ?? '') : '';
}
