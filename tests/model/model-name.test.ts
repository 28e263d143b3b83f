import { expect, test } from 'vitest';
import { modelNameFrom, newestHaiku } from '#model/model-name';

const listed = (...ids: string[]) => ids.map((id) => ({ id, deprecated: id.includes('9') }));

test('the newest Haiku has the highest version and is not deprecated', () => {
  expect(
    newestHaiku(
      listed('claude-opus-6', 'claude-haiku-4-5-20251001', 'claude-haiku-5-5', 'claude-haiku-5'),
    ),
  ).toBe('claude-haiku-5-5');
  expect(newestHaiku(listed('claude-haiku-9', 'claude-haiku-4-5'))).toBe('claude-haiku-4-5');
  expect(newestHaiku(listed('claude-sonnet-5', 'llama3'))).toBeNull();
});

test('a model id is shown as a name, with or without a date', () => {
  expect(modelNameFrom('claude-haiku-4-5-20251001')).toBe('Claude Haiku 4.5');
  expect(modelNameFrom('claude-sonnet-5')).toBe('Claude Sonnet 5');
  expect(modelNameFrom('llama3.3:70b')).toBe('llama3.3:70b');
});
