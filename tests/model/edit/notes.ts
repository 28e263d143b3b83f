/** Random notes and edits for property tests, including awkward Markdown. */
import fc from 'fast-check';
import type { ProposalId } from '#model/ids';
import type { CutOptions } from '#model/edit/cut-edits';
import { holdsEdits } from '#model/edit/note-edits';

const FRAGMENTS = [
  ...[
    'para one\n',
    'two lines\nof text\n',
    '\n',
    '\n\n',
    'no eol',
    'trail  \n',
    'a\rb\n',
    '\u2028sep\n',
  ],
  ...[
    '# Head\n',
    '## Head two\n',
    'Set\n===\n',
    'Set\n---\n',
    '---\n',
    '***\n',
    '* * *\n',
    '#ai_edit\n',
    '#todo\n',
  ],
  ...[
    '- a\n',
    '- [ ] milk\n',
    '- a\n  - b\n    - c\n',
    '  more of a\n',
    '- a\n\n  para in item\n',
    '    - deep\n',
  ],
  ...[
    '1. one\n2. two\n',
    '4) four\n',
    '+ plus\n',
    '-\n',
    '-\ttab\n',
    '1. step\n\n   ```sh\n   run\n\n   it\n   ```\n',
  ],
  ...[
    '> quote\n',
    '> [!note] T\n> body\n',
    'lazy\n',
    '> - a\n> ```\n> q\n> ```\n',
    '- > ```js\n  > x\n',
    '> ```\n> open\n',
  ],
  ...[
    '```js\ncode\n```\n',
    '```\n',
    '````md\n```ai-edit\nx\n```\n````\n',
    '~~~\nq\n~~~\n',
    '    indented\n',
    '\tcode\n',
  ],
  ...[
    '$$\nx^2\n$$\n',
    '$$\nx\n\ny\n$$\n',
    '$$\n',
    'a $$x$$ b\n',
    '$$x\n+y$$\n',
    'costs $$ a lot\n',
  ],
  ...['%%\nhid\n%%\n', '%%\nhid\n\nden\n%%\n', '%%\n', 'so %%not\n\nseen%% here\n', '100%% sure\n'],
  ...[
    '| a | b |\n|---|---|\n| 1 | 2 |\n',
    '| 1 | 2 |\n',
    'a | b\n- | -\n',
    '[ref]: http://x\n',
    '[^1]: foot\n    more\n',
  ],
  ...[
    '<div>\nx\n</div>\n',
    '<!-- c\n\nd -->\n',
    '<script>\n\n1\n</script>\n',
    '<b>\n',
    '<%* tp %>\n',
    '<div>\n```\n',
  ],
  ...[
    '^blk\n',
    '```ai-edit\n',
    '```ai-edit\n{"id":"bad"}\n```\n',
    '{"id":"x"}\n',
    '😀 emoji مرحبا\n',
    '京都の苔\n',
  ],
  ...['[[Link]] and ![[Embed]]\n', '"quoted" \\ back\n', '=\n', '\uFEFFmark\n'],
];

export const fragment = fc.constantFrom(...FRAGMENTS);

const head = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  fc.constantFrom(
    ...[
      '---\ntags: [x]\n---\n',
      '---\ntitle: A\nlist:\n  - 1\n---\n\n',
      '---\nopen\n',
      '---\n---\n',
      '---\na: 1\n---',
    ],
    ...['\uFEFF', '\uFEFF---\na: 1\n---\n'],
  ),
);

/** A random note. */
export const note = fc
  .tuple(head, fc.array(fragment, { maxLength: 12 }), fc.boolean())
  .map(([top, parts, crlf]) => {
    const text = top + parts.join('');
    return crlf ? text.replace(/\r?\n/g, '\r\n') : text;
  });

/** Random edits of a note: lines removed, added, or both. */
export function editedFrom(text: string, most = 4): fc.Arbitrary<string> {
  const edit = fc.tuple(fc.nat(), fc.nat(3), fc.oneof(fragment, fc.constant('')));
  return fc.array(edit, { maxLength: most }).map((edits) => {
    const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    const ending = text.includes('\r\n') ? '\r\n' : '\n';
    for (const [at, removed, added] of edits) {
      lines.splice(at % (lines.length + 1), removed, added.replace(/\r?\n/g, ending));
    }
    return lines.join('');
  });
}

const anyText = fc.string({ unit: 'grapheme' });

/** Two texts, before and after an edit, neither of which contains a block. */
export const pair = fc
  .oneof(
    fc.tuple(note, note),
    {
      weight: 4,
      arbitrary: note.chain((before) => fc.tuple(fc.constant(before), editedFrom(before))),
    },
    fc.tuple(anyText, anyText),
  )
  .filter((texts) => !texts.some(holdsEdits));

/** A pair, plus a third text that is usually an edit of the second. */
export const triple = pair.chain(([before, after]) =>
  fc.tuple(
    fc.constant(before),
    fc.constant(after),
    fc.oneof(editedFrom(after), note).filter((text) => !holdsEdits(text)),
  ),
);

/** Options that mint sequential ids with a prefix. */
export function options(prefix = 'edit'): CutOptions {
  let count = 0;
  return {
    mint: () => `${prefix}-${String(++count).padStart(4, '0')}` as ProposalId,
    tag: 'ai_edit',
  };
}
