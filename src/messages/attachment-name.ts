/** Names of attachments. */
import type { Attachment } from '#model/attachment';
import { noteName } from '#text/paths';
import { editIn } from './edit-messages';

/** Display name, without the folder path. */
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
    case 'hunk':
      return editIn(noteName(attachment.path));
    case 'file':
      return attachment.name;
  }
}
