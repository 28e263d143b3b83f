import { expect, test } from 'vitest';
import { verdictText } from '#obsidian/settings/model-settings';

const WORKS = { ok: true, models: 3, transport: 'node' } as const;

test('a successful check names a server that is not Anthropic, which may take any key', () => {
  expect(verdictText(WORKS, 'http://127.0.0.1:4021')).toBe(
    'It works, connected directly to the server at 127.0.0.1:4021, not to Anthropic. 3 models are available.',
  );
});

test.each(['', 'https://api.anthropic.com', 'https://api.anthropic.com/'])(
  'a successful check of Anthropic says only that it works, for the endpoint "%s"',
  (endpoint) => {
    expect(verdictText(WORKS, endpoint)).toBe(
      'It works, connected directly. 3 models are available.',
    );
  },
);
