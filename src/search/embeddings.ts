/** Requests embeddings from a server. A passage becomes a vector of integers from -127 to 127. */
import { SecretRedactor } from '#text/secret-redactor';
import * as t from '#messages/web-messages';
import { boundedText } from '#text/untrusted-text';
import type { Clock } from '#ports/clock';

/** A vector with the id of its passage, saved as one line of a file. */
export class VectorLine {
  constructor(
    readonly id: string,
    readonly vector: Int8Array,
  ) {}

  toJSON(): { id: string; vector: string } {
    return {
      id: this.id,
      vector: btoa(String.fromCharCode(...new Uint8Array(this.vector.buffer))),
    };
  }
}

/** Null if it is not a vector line. */
export function vectorLine({ id, vector }: Readonly<Record<string, unknown>>): VectorLine | null {
  if (typeof id !== 'string' || typeof vector !== 'string') return null;
  const bytes = atob(vector);
  const numbers = Int8Array.from(bytes, (byte) => byte.charCodeAt(0));
  return numbers.length > 0 ? new VectorLine(id, numbers) : null;
}

/** Scales a vector to length 127, because only its direction matters. */
export function quantized(numbers: readonly number[]): Int8Array {
  const length = Math.hypot(...numbers) || 1;
  return Int8Array.from(numbers, (number) => Math.round((number / length) * 127));
}

/** Cosine similarity, from -1 to 1. */
export function cosineSimilarity(one: Int8Array, other: Int8Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum / (127 * 127);
}

export interface EmbeddingServer {
  readonly endpoint: string;
  readonly model: string;
  /** Null if no key is needed. */
  readonly key: string | null;
  readonly fetch: typeof fetch;
  readonly clock: Pick<Clock, 'after'>;
}

export type EmbedResult =
  | { readonly ok: true; readonly vectors: readonly Int8Array[] }
  /** A sentence for the user and the model. */
  | { readonly ok: false; readonly reason: string };

/** Long, because a slow computer needs a while for a batch. */
const REQUEST_TIMEOUT_MS = 120_000;

/** Returns one vector for each text. Never throws. */
export async function embed(
  { endpoint, model, key, fetch, clock }: EmbeddingServer,
  input: readonly string[],
  signal: AbortSignal,
): Promise<EmbedResult> {
  const stop = new AbortController();
  const abort = () => stop.abort();
  signal.addEventListener('abort', abort);
  const forget = clock.after(REQUEST_TIMEOUT_MS, abort);
  try {
    const response = await fetch(addressOf(endpoint), {
      method: 'POST',
      signal: stop.signal,
      headers: {
        'content-type': 'application/json',
        ...(key === null ? {} : { authorization: `Bearer ${key.trim()}` }),
      },
      body: JSON.stringify({ model, input }),
    });
    const body = await boundedText(response, MAX_ANSWER_CHARS);
    if (!response.ok) {
      const shown = new SecretRedactor([key]).redact(body);
      return failed(embeddingFailure(response.status, model, shown));
    }
    const vectors = vectorsIn(body);
    const isWhole =
      vectors?.length === input.length &&
      vectors.every(({ length }) => length > 0 && length === vectors[0]?.length);
    return isWhole ? { ok: true, vectors: vectors.map(quantized) } : failed(t.embeddingsUnusable);
  } catch (error) {
    if (signal.aborted) return failed(t.stopped);
    const why = stop.signal.aborted ? t.noEmbeddingAnswer : messageOf(error);
    return failed(t.embeddingUnreachable(why));
  } finally {
    forget();
    signal.removeEventListener('abort', abort);
  }
}

/** Maximum length of a response; a batch of the longest vectors takes a tenth of it. */
const MAX_ANSWER_CHARS = 50_000_000;

/** Accepts a base URL or the full URL of the embeddings endpoint. */
function addressOf(endpoint: string): string {
  const [, base = '', query = ''] = /^([^?]*)(.*)$/.exec(endpoint) ?? [];
  const bare = base.replace(/\/+$/, '');
  if (/\/embed(?:dings)?$/.test(bare)) return bare + query;
  return `${bare}${/\/v\d+$/.test(bare) ? '' : '/v1'}/embeddings${query}`;
}

function vectorsIn(body: string): readonly (readonly number[])[] | null {
  try {
    const { data, embeddings } = JSON.parse(body) as {
      data?: readonly { embedding?: unknown; index?: number }[];
      embeddings?: unknown;
    };
    const sorted = data && [...data].sort((a, b) => (a.index ?? 0) - (b.index ?? 0));
    const all: unknown = sorted?.map(({ embedding }) => embedding) ?? embeddings;
    return Array.isArray(all) && all.every(isVector) ? all : null;
  } catch {
    return null;
  }
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every(Number.isFinite);
}

function embeddingFailure(status: number, model: string, body: string): string {
  if (status === 401 || status === 403) return t.embeddingKeyRefused;
  return t.embeddingFailed(status, model, body.slice(0, 200).trim());
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function failed(problem: string): EmbedResult {
  return { ok: false, reason: problem };
}
