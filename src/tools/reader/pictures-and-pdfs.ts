/** Prepares images and PDFs, which the model views instead of reading. */
import {
  base64Length,
  MAX_VIEWABLE_BYTES,
  type ViewableFile,
  viewableType,
  type ViewableType,
} from '#model/attachment';
import { PathCache, stampOf } from '#ports/path-cache';
import type { NoteEntry } from '#ports/vault';
import type { ToolContext } from '../tool';

/** Claude scales larger images down to about this many tokens. */
const PICTURE_TOKENS = 1_600;
/** For each page of a PDF, the text and an image. */
const PAGE_TOKENS = 2_500;
/** For PDFs with compressed objects, whose pages cannot be counted. */
const BYTES_PER_PAGE = 100_000;

const MAX_KNOWN_FILES = 100;
/** Examined files: the composer asks for their size repeatedly while the user types. */
const known = new PathCache<ViewableFile>(MAX_KNOWN_FILES);

export type ShownFile =
  | { readonly ok: true; readonly file: ViewableFile }
  | { readonly ok: false; readonly reason: string };

/** @returns the file, or a sentence on why it cannot be shown */
export async function shownFile(entry: NoteEntry, { vault }: ToolContext): Promise<ShownFile> {
  const { path, size, modified } = entry;
  const before = known.get(path, stampOf(entry));
  if (before && (await vault.find(path, 'file')).ok) return { ok: true, file: before };
  // Checked before reading: a video of several gigabytes may be named like an image.
  if (base64Length(size) > MAX_VIEWABLE_BYTES.pdf)
    return tooLarge(path, size, MAX_VIEWABLE_BYTES.pdf);
  const read = await vault.bytes(path);
  if (!read.ok) return read;
  const type = viewableType(read.value);
  if (!type) {
    return {
      ok: false,
      reason: `${path} has the name of a picture or PDF, but its content is neither.`,
    };
  }
  const most = type === 'application/pdf' ? MAX_VIEWABLE_BYTES.pdf : MAX_VIEWABLE_BYTES.image;
  if (base64Length(size) > most) return tooLarge(path, size, most);
  const file = { path, type, size, modified, tokens: tokensOf(type, read.value) };
  known.set(path, stampOf(entry), file);
  return { ok: true, file };
}

function tooLarge(path: string, size: number, most: number): ShownFile {
  const bytes = (count: number) => count.toLocaleString('en');
  const limit = bytes(Math.floor(most / 4) * 3);
  return {
    ok: false,
    reason: `${path} has ${bytes(size)} bytes; at most ${limit} can be shown of its kind.`,
  };
}

function tokensOf(type: ViewableType, bytes: ArrayBuffer): number {
  if (type !== 'application/pdf') return PICTURE_TOKENS;
  const pages = new TextDecoder('latin1').decode(bytes).match(/\/Type\s*\/Page(?!s)/g)?.length;
  return (pages ?? Math.ceil(bytes.byteLength / BYTES_PER_PAGE)) * PAGE_TOKENS;
}
