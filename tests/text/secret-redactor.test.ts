import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SecretRedactor } from '#text/secret-redactor';
import { cases } from '../cases';

const KEY = 'sk-aab"aab/1';
const FORMS = [KEY, 'sk-aab\\"aab/1', 'sk-aab%22aab%2F1'];

test('a secret is redacted in each of its spellings, in values and names', () => {
  const redactor = new SecretRedactor([` ${KEY}\n`, null]);
  for (const form of FORMS) expect(redactor.redact(`a ${form}b`)).toBe('a •••b');
  const value = { [KEY]: [`x${KEY}`, { deep: KEY }, 1, null] };
  expect(redactor.redactAll(value)).toEqual({ '•••': ['x•••', { deep: '•••' }, 1, null] });
});

test('a secret of less than eight characters is not redacted, because it occurs by chance', () => {
  const redactor = new SecretRedactor(['ollama', '', null]);
  expect(redactor.redact('ollama says: ollama')).toBe('ollama says: ollama');
});

test('a text that arrives in pieces is redacted as if it were whole, and shown as soon as possible', () => {
  const word = fc.constantFrom(...FORMS, KEY.slice(0, 5), 'sk-aab', 'a', 's', ' plain words ');
  const pieces = fc.array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), pieces, (words, sizes) => {
      const text = words.join('');
      const redactor = new SecretRedactor([KEY]);
      const stream = redactor.stream();
      let shown = '';
      let at = 0;
      for (const size of sizes) {
        shown += stream.add(text.slice(at, at + size));
        at = Math.min(text.length, at + size);
        const begun = redactor.redact(text.slice(0, at));
        expect(begun.startsWith(shown)).toBe(true);
        expect(begun.length - shown.length).toBeLessThan(FORMS[2]?.length ?? 0);
      }
      shown += stream.add(text.slice(at)) + stream.end();
      expect(shown).toBe(redactor.redact(text));
    }),
    cases,
  );
});
