/** Turns dropped or pasted files into attachments, or explains why that failed. */
import { noteName } from '#text/paths';
import * as t from '#messages/composer-messages';
import {
  MAX_ATTACHED_CHARS,
  type Attachment,
  base64Length,
  isViewable,
  MAX_VIEWABLE_BYTES,
} from '#model/attachment';
import type { ComposerPort } from '#ports/app/composer-port';
import type { Ui } from '#ports/ui';
import { isPicture } from './mentions';

export interface ImportResult {
  readonly attachments: readonly Attachment[];
  /** Paths of files that were copied into the vault. */
  readonly imported: readonly string[];
  /** Messages for the user, one after the other. */
  readonly remarks: readonly string[];
}

type ImportUi = Pick<Ui, 'keepInVault' | 'discardImported'>;

const SHOWABLE = t.attachableTypes;

export async function fromPaths(
  paths: readonly string[],
  composer: ComposerPort,
): Promise<ImportResult> {
  const known = await composer.existing(paths);
  const { folders } = await composer.mentionable();
  const hidden = paths.filter((path) => !known.includes(path));
  const unseen = known.some((path) => isPicture(path) && !isViewable(path)) ? [SHOWABLE] : [];
  return {
    attachments: known.map((path) => ({
      kind: folders.includes(path) ? 'folder' : 'note',
      path,
    })),
    imported: [],
    remarks: [...hidden.map((path) => t.noteNotAvailable(noteName(path))), ...unseen],
  };
}

export async function fromFiles(
  files: readonly File[],
  composer: ComposerPort,
  ui: ImportUi,
): Promise<ImportResult> {
  const taken: ImportResult[] = [];
  for (const file of files) {
    taken.push(isViewable(file.name) ? await kept(file, composer, ui) : await fromFile(file));
  }
  const remarks = taken.flatMap((each) => each.remarks);
  return {
    attachments: taken.flatMap((each) => each.attachments),
    imported: taken.flatMap((each) => each.imported),
    remarks: [...new Set(remarks)],
  };
}

/** Files are stored in the vault, so that the model can read them in later turns, too. */
async function kept(file: File, composer: ComposerPort, ui: ImportUi): Promise<ImportResult> {
  const most = /\.pdf$/i.test(file.name) ? MAX_VIEWABLE_BYTES.pdf : MAX_VIEWABLE_BYTES.image;
  if (base64Length(file.size) > most) {
    return refused(
      t.fileTooLarge(file.name, file.size.toLocaleString(), ((most / 4) * 3).toLocaleString()),
    );
  }
  const put = await ui.keepInVault(file);
  if (!put.ok) return refused(put.reason);
  const { attachments, remarks } = await fromPaths([put.path], composer);
  if (attachments.length > 0) {
    return { attachments, imported: [put.path], remarks: [t.savedInVault(put.path), ...remarks] };
  }
  // The attachment folder may be hidden from the agent.
  await ui.discardImported(put.path);
  return { attachments, imported: [], remarks };
}

async function fromFile(file: File): Promise<ImportResult> {
  const { name, type, size } = file;
  if (type.startsWith('image/') || isPicture(name)) return refused(SHOWABLE);
  if (size > MAX_ATTACHED_CHARS) {
    return refused(t.fileTooLong(name, size.toLocaleString(), MAX_ATTACHED_CHARS.toLocaleString()));
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    if (!text.includes('\0')) return attached({ kind: 'file', name, text });
  } catch {
    // Said below.
  }
  return refused(t.fileNotText(name));
}

function attached(attachment: Attachment): ImportResult {
  return { attachments: [attachment], imported: [], remarks: [] };
}

function refused(why: string): ImportResult {
  return { attachments: [], imported: [], remarks: [why] };
}
