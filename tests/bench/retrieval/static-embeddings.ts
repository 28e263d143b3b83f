/**
 * Embeddings of texts from a fixed table of word vectors: the weighted mean of the vectors of their
 * words, without what all texts have in common. Rare words weigh more (smooth inverse frequency,
 * Arora et al. 2017).
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { wordsOf } from '#search/tokenizer';
import { quantized } from '#search/embeddings';

/** The parameter of smooth inverse frequency: words more frequent than this weigh little. */
const FREQUENT = 1e-3;

export class StaticEmbeddings {
  readonly #numbers = new Map<string, number>();
  readonly #vectors: Int8Array;
  readonly #scales: Float32Array;
  readonly length: number;
  #common: Float32Array;

  private constructor(rows: readonly (readonly [string, Float32Array])[]) {
    this.length = rows[0]?.[1].length ?? 0;
    this.#vectors = new Int8Array(rows.length * this.length);
    this.#scales = new Float32Array(rows.length);
    this.#common = new Float32Array(this.length);
    for (const [number, [word, vector]] of rows.entries()) {
      const most = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0) || 1;
      for (let at = 0; at < this.length; at += 1) {
        this.#vectors[number * this.length + at] = Math.round((vector[at]! / most) * 127);
      }
      this.#scales[number] = most / 127;
      this.#numbers.set(word, number);
    }
  }

  /**
   * Reads a file in GloVe's text format: a word and its numbers on each line, separated by spaces,
   * the most frequent word first.
   */
  static async read(file: string, maxWords: number): Promise<StaticEmbeddings> {
    const rows: (readonly [string, Float32Array])[] = [];
    const input = createReadStream(file);
    for await (const line of createInterface({ input })) {
      const [word = '', ...numbers] = line.trimEnd().split(' ');
      // A header line has two numbers only.
      if (numbers.length < 3) continue;
      rows.push([word, Float32Array.from(numbers, Number)]);
      if (rows.length === maxWords) break;
    }
    input.destroy();
    return new StaticEmbeddings(rows);
  }

  /** Bytes of the table of vectors. */
  get bytes(): number {
    return this.#vectors.byteLength + this.#scales.byteLength;
  }

  get words(): number {
    return this.#numbers.size;
  }

  /** Learns what these texts have in common, which `embed` leaves out from now on. */
  fit(texts: readonly string[]): void {
    const mean = new Float32Array(this.length);
    for (const text of texts) {
      const own = this.#mean(text);
      for (let at = 0; at < this.length; at += 1) mean[at]! += own[at]! / texts.length;
    }
    this.#common = mean;
  }

  embed(text: string): Int8Array {
    return quantized([...this.#mean(text).map((value, at) => value - this.#common[at]!)]);
  }

  #mean(text: string): Float32Array {
    const sum = new Float32Array(this.length);
    let total = 0;
    for (const word of wordsOf(text)) {
      const number = this.#numbers.get(word);
      if (number === undefined) continue;
      // By Zipf's law, the frequency of a word is about a tenth of the inverse of its rank.
      const weight = FREQUENT / (FREQUENT + 0.1 / (number + 1));
      const scale = this.#scales[number]! * weight;
      total += weight;
      for (let at = 0; at < this.length; at += 1) {
        sum[at]! += this.#vectors[number * this.length + at]! * scale;
      }
    }
    return total > 0 ? sum.map((value) => value / total) : sum;
  }
}
