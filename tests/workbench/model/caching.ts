/**
 * Prompt caching as in the API: a byte-exact prefix up to a cache mark, a minimum length by model,
 * a look-back of 20 blocks, and entries that live five minutes or an hour.
 */
import { createHash } from 'node:crypto';
import { modelRules } from './model-list';
import { blocksOf, isRecord, withoutMarks, type ModelRequest } from './wire';

export interface PromptUsage {
  readonly input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_creation_1h_input_tokens: number;
}

export interface PromptCache {
  /**
   * The tokens that this request reads from and writes to the cache; the cache only changes when
   * `commit` is called.
   */
  read(request: ModelRequest): { readonly usage: PromptUsage; commit(): void };
}

const LOOKBACK_BLOCKS = 20;
const MINUTE_MS = 60_000;

interface Place {
  readonly key: string;
  readonly tokens: number;
  readonly mark?: 5 | 60;
  readonly markable: boolean;
}

export function promptCache(now: () => number): PromptCache {
  const entries = new Map<string, { until: number; minutes: number }>();

  const live = (key: string) => {
    const entry = entries.get(key);
    return entry !== undefined && entry.until > now() ? entry : undefined;
  };

  return {
    read(request) {
      const places = placesOf(request);
      const minimum = modelRules(request.model)?.cacheMinimum ?? 1_024;
      const marks = places
        .map((place, at) => ({ ...place, at }))
        .filter((place) => place.mark !== undefined && place.tokens >= minimum);
      const hit = Math.max(-1, ...marks.map((mark) => lastLiveMark(places, mark.at, live)));
      const total = places.at(-1)?.tokens ?? 0;
      const readTokens = places[hit]?.tokens ?? 0;
      const last = marks.at(-1)?.tokens ?? 0;
      const written = Math.max(0, last - readTokens);
      const longMark = marks.findLast((mark) => mark.mark === 60)?.tokens ?? 0;
      const usage = {
        input_tokens: total - readTokens - written,
        cache_read_input_tokens: readTokens,
        cache_creation_input_tokens: written,
        cache_creation_1h_input_tokens: Math.max(0, Math.min(written, longMark - readTokens)),
      };
      const commit = () => {
        const found = places[hit] && entries.get(places[hit].key);
        // Reading an entry restarts its lifetime.
        if (found) found.until = now() + found.minutes * MINUTE_MS;
        for (const mark of marks) {
          const minutes = mark.mark ?? 5;
          entries.set(mark.key, { minutes, until: now() + minutes * MINUTE_MS });
        }
      };
      return { usage, commit };
    },
  };
}

function lastLiveMark(
  places: readonly Place[],
  from: number,
  live: (key: string) => unknown,
): number {
  for (let at = from; at >= 0 && at > from - LOOKBACK_BLOCKS; at -= 1) {
    const place = places[at];
    if (place && live(place.key) !== undefined) return at;
  }
  return -1;
}

/** Every block of the prompt in the order of the API: tools, system, messages. */
function placesOf(request: ModelRequest): Place[] {
  const places: Place[] = [];
  let chain = createHash('sha256').update(request.model).digest('hex');
  let characters = 0;
  const add = (tag: string, block: unknown, markable: boolean) => {
    const text = JSON.stringify(withoutMarks(block));
    chain = createHash('sha256').update(chain).update(tag).update(text).digest('hex');
    characters += text.length;
    const mark = markOf(block);
    const place = { key: chain, tokens: Math.ceil(characters / 4), markable };
    places.push(mark === undefined ? place : { ...place, mark });
  };
  for (const tool of request.tools ?? []) add('tool', tool, true);
  if (request.system !== undefined) {
    for (const block of blocksOf(request.system)) add('system', block, true);
  }
  // A change of these settings invalidates the cached messages, but not tools and system.
  const settings = JSON.stringify([request.thinking ?? null, request.tool_choice ?? null]);
  for (const message of request.messages) {
    for (const block of blocksOf(message.content)) {
      add(`${settings}${message.role}`, block, !/thinking$/.test(block.type));
    }
  }
  const own = markOf(request);
  const at = places.findLastIndex((place) => place.markable);
  const last = places[at];
  return own === undefined || !last ? places : places.with(at, { ...last, mark: own });
}

function markOf(block: unknown): 5 | 60 | undefined {
  if (!isRecord(block) || !isRecord(block.cache_control)) return undefined;
  return block.cache_control.ttl === '1h' ? 60 : 5;
}
