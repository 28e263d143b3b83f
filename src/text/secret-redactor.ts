/** Removes secrets from what servers say, because a server may repeat what it was given. */

/** Shorter ones are words that also occur by chance, such as the key of a local server. */
const MIN_SECRET_CHARS = 8;

const REDACTED = '•••';

export class SecretRedactor {
  /** All spellings, longest first, because one may contain another. */
  readonly #spellings: readonly string[];

  /** @param secrets null for none */
  constructor(secrets: readonly (string | null)[]) {
    const long = secrets.flatMap((each) => each?.trim() ?? []).filter(isLong);
    const spellings = long.flatMap((each) => [each, jsonText(each), encodeURIComponent(each)]);
    this.#spellings = [...new Set(spellings)].toSorted((a, b) => b.length - a.length);
  }

  redact(text: string): string {
    return this.#spellings.reduce((left, each) => left.replaceAll(each, REDACTED), text);
  }

  /** The same value with all its strings redacted, names included. */
  redactAll<Value>(value: Value): Value {
    return this.#spellings.length === 0 ? value : (this.#redactIn(value) as Value);
  }

  /** For a text that arrives in pieces, in which a secret may be split. */
  stream(): RedactedStream {
    return new RedactedStream(this);
  }

  /** How many characters at the end may begin a secret. */
  begunIn(text: string): number {
    const begins = (spelling: string) => {
      let count = Math.min(spelling.length - 1, text.length);
      while (count > 0 && !text.endsWith(spelling.slice(0, count))) count -= 1;
      return count;
    };
    return Math.max(0, ...this.#spellings.map(begins));
  }

  #redactIn(value: unknown): unknown {
    if (typeof value === 'string') return this.redact(value);
    if (Array.isArray(value)) return value.map((each) => this.#redactIn(each));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    return Object.fromEntries(entries.map(([k, each]) => [this.redact(k), this.#redactIn(each)]));
  }
}

class RedactedStream {
  readonly #redactor: SecretRedactor;
  #begun = '';

  constructor(redactor: SecretRedactor) {
    this.#redactor = redactor;
  }

  /** What can be shown so far of the text that has not been returned yet. */
  add(text: string): string {
    const whole = this.#redactor.redact(this.#begun + text);
    const end = whole.length - this.#redactor.begunIn(whole);
    this.#begun = whole.slice(end);
    return whole.slice(0, end);
  }

  /** What is left when the text has ended. */
  end(): string {
    const rest = this.#begun;
    this.#begun = '';
    return rest;
  }
}

function isLong(secret: string): boolean {
  return secret.length >= MIN_SECRET_CHARS;
}

function jsonText(secret: string): string {
  return JSON.stringify(secret).slice(1, -1);
}
