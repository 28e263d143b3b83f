/** Images and PDFs that the model can view. */

/** A picture or a PDF that the model is shown, as it was when it was read. Its bytes stay in the vault. */
export interface ViewableFile {
  readonly path: string;
  readonly type: ViewableType;
  /** Bytes, with `modified` what tells whether it is still the same. */
  readonly size: number;
  readonly modified: number;
  /** Estimated. */
  readonly tokens: number;
}

export type ViewableType =
  'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'application/pdf';

/** Letters of base64 that can be sent of one picture, and of one document: Claude's API takes 32 MB in all. */
export const MAX_VIEWABLE_BYTES = { image: 5_000_000, pdf: 30_000_000 } as const;

/** Whether a file of this name may be one that can be shown; its first bytes tell. */
export function isViewable(path: string): boolean {
  return /\.(?:png|jpe?g|gif|webp|pdf)$/i.test(path);
}

/** What a file is by its first bytes; null for what can't be shown, whatever it is called. */
export function viewableType(bytes: ArrayBuffer): ViewableType | null {
  const head = String.fromCharCode(...new Uint8Array(bytes.slice(0, 1024)));
  if (head.startsWith('\x89PNG\r\n')) return 'image/png';
  if (head.startsWith('\xFF\xD8\xFF')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(head)) return 'image/gif';
  if (/^RIFF[^]{4}WEBP/.test(head)) return 'image/webp';
  // Readers look for it within the first kilobyte.
  return head.includes('%PDF-') ? 'application/pdf' : null;
}

/** How many letters it has as base64. */
export function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

/** The same for two that show the same. */
export function viewableKey({
  path,
  size,
  modified,
}: Pick<ViewableFile, 'path' | 'size' | 'modified'>): string {
  return `${path} ${size} ${modified}`;
}

/** So many bytes take about a millisecond; a multiple of three, so that pieces can be put together. */
const PIECE = 3 * 2 ** 17;

/** @param pause gives the thread back between two pieces */
export async function base64Of(bytes: ArrayBuffer, pause: () => Promise<void>): Promise<string> {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.byteLength; at += PIECE) {
    pieces.push(encoded(new Uint8Array(bytes, at, Math.min(PIECE, bytes.byteLength - at))));
    await pause();
  }
  return pieces.join('');
}

function encoded(bytes: Uint8Array): string {
  let letters = '';
  for (let at = 0; at < bytes.length; at += 8_192) {
    letters += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  }
  return btoa(letters);
}
