/** Files that are dropped or pasted, as attachments; or in words why they can't be. */
import { LONGEST_ATTACHED_TEXT, noteName, type Attachment } from '#model/attachment';
import type { Composing } from '#ports/composing';
import { isPicture } from './mentions';

export interface TakenIn {
  readonly attachments: readonly Attachment[];
  readonly problems: readonly string[];
}

export const NO_PICTURES =
  'Pictures can’t be sent to the model yet. One that lies in the vault can be named with @.';

export async function fromPaths(paths: readonly string[], composing: Composing): Promise<TakenIn> {
  const known = await composing.known(paths);
  const { folders } = await composing.mentionable();
  const hidden = paths.filter((path) => !known.includes(path));
  const pictures = known.some(isPicture) ? [NAMED_ONLY] : [];
  return {
    attachments: known.map((path) => ({
      kind: folders.includes(path) ? 'folder' : 'note',
      path,
    })),
    problems: [
      ...hidden.map((path) => `${noteName(path)} is out of the agent’s reach, or not there.`),
      ...pictures,
    ],
  };
}

const NAMED_ONLY = 'Of a picture the model is told the name; it can’t be shown it yet.';

export async function fromFiles(files: readonly File[]): Promise<TakenIn> {
  const attachments: Attachment[] = [];
  const problems: string[] = [];
  for (const file of files) {
    const taken = await fromFile(file);
    if (typeof taken === 'string') problems.push(taken);
    else attachments.push(taken);
  }
  return { attachments, problems: [...new Set(problems)] };
}

async function fromFile(file: File): Promise<Attachment | string> {
  const { name, type, size } = file;
  if (type.startsWith('image/') || isPicture(name)) return NO_PICTURES;
  if (size > LONGEST_ATTACHED_TEXT) {
    return `${name} is too long: ${size.toLocaleString()} bytes, at most ${LONGEST_ATTACHED_TEXT.toLocaleString()}.`;
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    if (!text.includes('\0')) return { kind: 'file', name, text };
  } catch {
    // Said below.
  }
  return `${name} is no text. From outside the vault only texts can be attached.`;
}
