/** What a user puts beside their words. Earlier versions saved notes and folders only. */
export type Attachment =
  | {
      readonly kind: 'note';
      /** Of any file of the vault. */
      readonly path: string;
      /** Only what stands below it; the words without hashes. */
      readonly heading?: string;
      /** How many links away notes may be whose text goes with it; left out: as the settings say. */
      readonly depth?: number;
    }
  | { readonly kind: 'folder'; readonly path: string }
  /** Without `#`. */
  | { readonly kind: 'tag'; readonly tag: string }
  | Selection
  /** A text from outside the vault. */
  | { readonly kind: 'file'; readonly name: string; readonly text: string };

/** What was selected in a note. Lines from 1, inclusive. */
export interface Selection {
  readonly kind: 'selection';
  readonly path: string;
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Attachments under a name, for the composer. */
export interface ContextPreset {
  readonly name: string;
  readonly attachments: readonly Attachment[];
}

/** Characters of a text from outside the vault, or of a selection. */
export const MAX_ATTACHED_CHARS = 200_000;

/** The same for two that say the same. */
export function attachmentKey(attachment: Attachment): string {
  switch (attachment.kind) {
    case 'note':
      return `note ${attachment.path}#${attachment.heading ?? ''}`;
    case 'folder':
      return `folder ${attachment.path}`;
    case 'tag':
      return `tag ${attachment.tag}`;
    case 'selection':
      return `selection ${attachment.path} ${attachment.from} ${attachment.text}`;
    case 'file':
      return `file ${attachment.name} ${attachment.text.length}`;
  }
}

/** As a user reads it: the name without its folders. */
export function attachmentName(attachment: Attachment): string {
  switch (attachment.kind) {
    case 'note': {
      const name = noteName(attachment.path);
      return attachment.heading === undefined ? name : `${name} › ${attachment.heading}`;
    }
    case 'folder':
      return `${noteName(attachment.path)}/`;
    case 'tag':
      return `#${attachment.tag}`;
    case 'selection': {
      const { path, from, to } = attachment;
      return `${noteName(path)}, ${from === to ? `line ${from}` : `lines ${from}–${to}`}`;
    }
    case 'file':
      return attachment.name;
  }
}

/** The last name of a path, without `.md`. */
export function noteName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/(?<=.)\.md$/i, '');
}

/** What is part of the vault: a note, a folder, or the note in which something was selected. */
export function attachedPath(attachment: Attachment): string | null {
  return 'path' in attachment ? attachment.path : null;
}

/** Whatever was saved or handed in, as far as it is an attachment. */
export function isAttachment(value: unknown): value is Attachment {
  if (typeof value !== 'object' || value === null) return false;
  const of = value as Record<string, unknown>;
  const isText = (...names: string[]) => names.every((name) => typeof of[name] === 'string');
  switch (of['kind']) {
    case 'note':
    case 'folder':
      return isText('path') && ['undefined', 'string'].includes(typeof of['heading']);
    case 'tag':
      return isText('tag');
    case 'selection':
      return isText('path', 'text') && Number.isInteger(of['from']) && Number.isInteger(of['to']);
    case 'file':
      return isText('name', 'text');
    default:
      return false;
  }
}

export interface DraftText {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** The user has put it away: the active note, or what is selected, is not told of. */
  readonly withoutNote: boolean;
  readonly withoutSelection: boolean;
}

export const NO_DRAFT: DraftText = {
  text: '',
  attachments: [],
  withoutNote: false,
  withoutSelection: false,
};

/** The draft that was saved; null for what is none. */
export function draftIn(saved: unknown): DraftText | null {
  if (typeof saved !== 'object' || saved === null) return null;
  const { text, attachments, withoutNote, withoutSelection } = saved as Record<string, unknown>;
  if (typeof text !== 'string') return null;
  return {
    text,
    attachments: Array.isArray(attachments) ? attachments.filter(isAttachment) : [],
    withoutNote: withoutNote === true,
    withoutSelection: withoutSelection === true,
  };
}

export function isBlankDraft(draft: DraftText): boolean {
  const { text, attachments, withoutNote, withoutSelection } = draft;
  return text === '' && attachments.length === 0 && !withoutNote && !withoutSelection;
}

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
const BASE64_CHUNK_BYTES = 3 * 2 ** 17;

/** @param pause gives the thread back between two pieces */
export async function base64Of(bytes: ArrayBuffer, pause: () => Promise<void>): Promise<string> {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.byteLength; at += BASE64_CHUNK_BYTES) {
    pieces.push(
      encoded(new Uint8Array(bytes, at, Math.min(BASE64_CHUNK_BYTES, bytes.byteLength - at))),
    );
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
