import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import { readEvalsOptions } from './options';

function read(...args: readonly string[]) {
  return readEvalsOptions(args, {});
}

test('evals take the key from the environment unless it is an option', () => {
  const environment = { ANTHROPIC_API_KEY: 'from-environment' };
  expect(readEvalsOptions([], environment)).toMatchObject({
    options: { do: 'run', apiKey: 'from-environment', runs: 1, script: null },
  });
  expect(readEvalsOptions(['--api-key', 'given'], environment)).toMatchObject({
    options: { apiKey: 'given' },
  });
});

test('evals run against an endpoint without a key', () => {
  const settings = path.join(temporaryFolder('settings'), 'settings.json');
  writeFileSync(settings, '{"compatibility":true}');
  expect(
    read(
      ...['--api-url', 'http://localhost:1', '--model', 'm', '--runs', '3'],
      ...['--only', '^Lists/', '--settings', settings],
    ),
  ).toMatchObject({
    ok: true,
    options: { model: 'm', runs: 3, only: /^Lists\//i, settings: { compatibility: true } },
  });
});

test.each([
  [[], 'Give a key'],
  [['--api-key', ''], 'Give a key'],
  [['--scripted', 'both'], '--scripted takes'],
  [['--runs', '0', '--api-key', 'k'], '--runs takes'],
  [['--only', '('], '--only takes'],
  [['--api-url', 'nowhere'], 'is no URL'],
  [['--model'], 'needs a value'],
  [['--modle', 'm'], 'Unknown option --modle'],
  [['--compare', 'a.json'], '--compare takes two'],
  [['--settings', '/does/not/exist', '--api-key', 'k'], '--settings takes'],
])('evals refuse %j and say why', (args, problem) => {
  expect(read(...args)).toMatchObject({
    ok: false,
    reason: expect.stringContaining(problem) as string,
  });
});

test('evals are played by hand without a key, and not together with a script', () => {
  expect(read('--by-hand', 'folder')).toMatchObject({ ok: true, options: { byHand: 'folder' } });
  expect(read('--by-hand', 'folder', '--scripted', 'solution')).toMatchObject({ ok: false });
});
