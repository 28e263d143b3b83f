import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberedParagraphs } from '#tools/quotable-text';
import { cases } from '#tests/cases';

const line = fc.constantFrom('', '  ', 'Prune it.', '- a', '# b', '7: c', '<page>', '{"d": 1}');

test('paragraphs get numbers without a change of the text, and are found by them', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 15 }), (lines) => {
      const { text, spans } = numberedParagraphs(lines.join('\n'));
      const paragraphs = lines.join('\n').match(/(?:^|(?<=\n))(?:.*\S.*(?:\n|$))+/g) ?? [];
      const own = paragraphs.map((each) => each.replace(/\n$/, ''));
      expect(spans.map(([from, to]) => text.slice(from, to))).toEqual(own);
      spans.forEach(([from], at) => {
        const number = `${at + 1}: `;
        expect(text.slice(0, from).endsWith(number)).toBe(true);
      });
      const bare = spans.reduceRight((left, [from], at) => {
        return left.slice(0, from - `${at + 1}: `.length) + left.slice(from);
      }, text);
      expect(bare.trimEnd()).toBe(lines.join('\n').trimEnd());
    }),
    cases,
  );
});

test('code is one paragraph', () => {
  const { text } = numberedParagraphs('Run:\n\n```sh\na\n\nb\n```\n\nDone.');
  expect(text).toBe('1: Run:\n\n2: ```sh\na\n\nb\n```\n\n3: Done.');
});
