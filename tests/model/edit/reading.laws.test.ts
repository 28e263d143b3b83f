/** Edits are read around the lines that may belong to blocks; all other lines make no difference. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mayHoldBlock } from '#model/edit/edit-block';
import { ANY_DEVICE, readEdits } from '#model/edit/note-edits';
import { cases, CASES_TIMEOUT_MS } from '#tests/cases';

const LINES = [
  ...[
    'a',
    'b',
    '',
    '',
    '- a',
    '  b',
    '# a',
    '> a',
    '    a',
    '===',
    '|a|',
    '|-|',
    '^id',
    '{',
    '#tag',
  ],
  ...['```ai-edit', '  ```ai-edit', '```', '  ```', '#ai_edit', '  #ai_edit', '> ```ai-edit'],
  ...['{"id":"abcd12","before":"a\\n","after":"b\\n"}', '{"id":"abcd34","after":"b\\n"}'],
  ...[
    '```ai-edit\n{"id":"abcd56","before":"- a\\n"}\n```\n#ai_edit',
    '> {"id":"abcd78","after":"b"}',
  ],
];
const blocksAndRemains = fc
  .array(fc.constantFrom(...LINES), { minLength: 1, maxLength: 25 })
  .map((lines) => `${lines.join('\n')}\n`);
/** It may begin a block that goes on over blank lines, so that the note is read from its top. */
const READ_FROM_TOP = 'See <b>.\n\n';
/** What is left of a block, so that the note is read to its end. */
const READ_TO_END = '\nEnd.\n\n```ai-edit\n```\n';

test(
  'edits are the same whether the lines around them or the whole note is read',
  () => {
    fc.assert(
      fc.property(blocksAndRemains, (text) => {
        fc.pre(mayHoldBlock(text));
        const foundIn = (note: string) => {
          const { parts, damaged } = readEdits(note, ANY_DEVICE);
          const edits = parts.flatMap(({ edit }) => edit ?? []);
          return { edits: edits.map(({ id, block, lines }) => ({ id, block, lines })), damaged };
        };
        const whole = foundIn(READ_FROM_TOP + text + READ_TO_END);
        const end = whole.damaged.at(-1)?.lines[0]?.from ?? 0;
        fc.pre(end > READ_FROM_TOP.length + text.length);
        const back = (offset: number) => offset - READ_FROM_TOP.length;
        expect(foundIn(text)).toEqual({
          edits: whole.edits,
          damaged: whole.damaged.slice(0, -1).map(({ lines }) => ({
            lines: lines.map(({ from, to }) => ({ from: back(from), to: back(to) })),
          })),
        });
      }),
      cases,
    );
  },
  CASES_TIMEOUT_MS,
);
