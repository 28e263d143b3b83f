import * as z from 'zod/mini';
import { attachmentKey, type Attachment } from '#model/attachment';
import { defineTool, listResult, text } from '../tool';
import { attachedContext } from './attached';

const input = z.strictObject({});

export const getContext = defineTool<z.infer<typeof input>>({
  name: 'get_context',
  version: 1,
  agent: 'note_reader',
  effect: 'read',
  permission: 'allow',
  description:
    'Returns what the user attached and selected, and the open note, as they are now: when <context> only names it, or it may have changed.',
  input,
  example: {},
  async run(_input, context) {
    const { attachments, activeNote } = context.request;
    const open: Attachment[] = activeNote === null ? [] : [{ kind: 'note', path: activeNote }];
    // A note that is both attached and open appears once.
    const all = [
      ...new Map([...attachments, ...open].map((each) => [attachmentKey(each), each])).values(),
    ];
    const { sections, named } = await attachedContext(all, context);
    const paths = [...new Set(sections.flatMap(({ path }) => path ?? []))];
    const lines = [
      activeNote !== null && paths.includes(activeNote)
        ? `Open note: ${activeNote}`
        : 'No note is open.',
      attachments.length === 0 ? 'Nothing is attached.' : 'Attached or open:',
      ...sections.map((each) => each.text),
      ...(named.length === 0 ? [] : [`These link to: ${named.slice(0, 100).join(', ')}`]),
    ].join('\n\n');
    const shown = sections.flatMap((section) => section.shown);
    return {
      ...(paths.length === 0 ? listResult(lines, 'note', 0) : text(lines, { kind: 'read', paths })),
      ...(shown.length > 0 ? { shown } : {}),
    };
  },
});
