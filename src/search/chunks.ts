/** Which passages the notes consist of, each with an id made of what it says: it is embedded anew only if that changes. */
import { noteLines } from './note-lines';

export interface Chunk {
  readonly id: string;
  /** Lines, from 1. */
  readonly first: number;
  readonly last: number;
}

export interface WrittenChunk extends Chunk {
  /** With the name of the note and the heading that it stands below. */
  readonly text: string;
}

/** Characters; less is joined with what follows, also below another heading. */
const LEAST = 300;
const MOST = 1_500;

/** @param model of whose vectors the ids are */
export function* chunksOf(
  path: string,
  text: string,
  model: string,
): Generator<WrittenChunk, void> {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  let heading = '';
  let above = '';
  let lines = '';
  let first = 0;
  let last = 0;
  const chunk = (): WrittenChunk => {
    const said = `${name}${above}\n${lines}`;
    const made = { id: hashOf(`${model}\n${said}`), first: Math.max(1, first), last, text: said };
    lines = '';
    above = heading;
    return made;
  };
  for (const { number, text: line, field } of noteLines(text)) {
    if (field === null || (lines === '' && line.trim() === '')) continue;
    if (field === 'heading') {
      heading = `\n${line}`;
      if (lines.length >= LEAST) yield chunk();
    }
    for (let from = 0; from === 0 || from < line.length; from += MOST) {
      const piece = line.slice(from, from + MOST);
      if (lines !== '' && lines.length + piece.length > MOST) yield chunk();
      if (lines === '') first = number;
      lines += `${piece}\n`;
      last = number;
    }
  }
  if (lines !== '' || first === 0) yield chunk();
}

export class ChunkIndex {
  readonly #notes = new Map<string, { version: string; chunks: readonly Chunk[] }>();
  /** Passages of notes that are not in it may be kept elsewhere. */
  hasLost = true;

  constructor(readonly model: string) {}

  ids(): Iterable<string> {
    return this.#notes.keys();
  }

  version(id: string): string | undefined {
    return this.#notes.get(id)?.version;
  }

  chunks(id: string): readonly Chunk[] {
    return this.#notes.get(id)?.chunks ?? [];
  }

  *put(id: string, version: string, text: string): Generator<void, void> {
    const chunks: Chunk[] = [];
    for (const { text: _text, ...chunk } of chunksOf(id, text, this.model)) {
      chunks.push(chunk);
      if (chunks.length % 16 === 0) yield;
    }
    this.#notes.set(id, { version, chunks });
  }

  remove(id: string): void {
    if (this.#notes.delete(id)) this.hasLost = true;
  }
}

/** Sixty-four bits of it. */
function hashOf(text: string): string {
  let [one, two] = [1, 2];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code, 0x2f0b4a27) ^ (two >>> 15);
  }
  return (one >>> 0).toString(36) + (two >>> 0).toString(36).padStart(7, '0');
}
