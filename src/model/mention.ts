/** How an attachment is written in the text of a message, and whether a text mentions it. */
import { noteName, type Attachment } from './attachment';

/**
 * The text that mentions an attachment.
 *
 * @param isAmbiguous whether another file has the same name, so that its path is needed
 */
export function mentionText(attachment: Attachment, isAmbiguous = false): string {
  switch (attachment.kind) {
    case 'note': {
      const { path, heading } = attachment;
      const link = isAmbiguous ? path.replace(/\.md$/i, '') : noteName(path);
      return heading === undefined ? `[[${link}]]` : `[[${link}#${heading}]]`;
    }
    case 'folder':
      return `${attachment.path}/`;
    case 'tag':
      return `#${attachment.tag}`;
    case 'selection':
    case 'hunk':
    case 'file':
      return '';
  }
}

/** Whether the text mentions the attachment, by its name or path. */
export function isMentioned(text: string, attachment: Attachment): boolean {
  return formsOf(attachment).some((form) => placeOf(form, text, 0) !== null);
}

/** Where a mention that ends at the caret begins; null if none does. */
export function mentionBefore(
  text: string,
  caret: number,
  attachments: readonly Attachment[],
): number | null {
  for (const form of attachments.flatMap(formsOf)) {
    const from = caret - form.length;
    if (from >= 0 && placeOf(form, text, from) === from) return from;
  }
  return null;
}

function formsOf(attachment: Attachment): readonly string[] {
  const forms = [mentionText(attachment), mentionText(attachment, true)];
  return [...new Set(forms)].filter((form) => form !== '');
}

const NAME_CHARACTER = /[\p{L}\p{N}_/-]/u;

/** `#garden` is not part of `#gardening`, nor `Lists/` of `Lists/Shopping`. */
function placeOf(form: string, text: string, from: number): number | null {
  for (let at = text.indexOf(form, from); at >= 0; at = text.indexOf(form, at + 1)) {
    const isLink = form.endsWith(']]');
    const [before = '', after = ''] = [text[at - 1], text[at + form.length]];
    if (isLink || !(NAME_CHARACTER.test(before) || NAME_CHARACTER.test(after))) return at;
  }
  return null;
}
