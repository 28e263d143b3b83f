/** Notes whose texts are hard to read: the program edits each of them and stays alive. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { scripted } from '#workbench/model/scripted';
import { openStage, type Reply } from './driver';

/** Beginning, repeated part and end of the worst texts that `npm run bench -- worst-case` finds. */
const HARD: readonly (readonly [string, string, string])[] = [
  ['', '```x\n  ', ''],
  ['', '```ai-edit\n{', ''],
  ['', '<a style="', ''],
  ['', '![](', ''],
  ['', '[a]: <', ''],
  ['', '- ', 'x'],
  ['', '> ', 'x'],
  ['a', '-\n', 'x'],
  ['', '\r', 'x'],
  ['', '`\n', ''],
  ['', 'data:', ''],
  ['', '[', 'x'],
  ['', '\u200b', 'x'],
];

const SIZES = [50_000, 1_000_000];

interface Called extends Reply {
  readonly needs?: string;
}

const note = (size: number, at: number) => `Hard/${size}-${at}.md`;

test('an edit of every hard text is answered, and the program stays alive', async () => {
  const files = Object.fromEntries(
    SIZES.flatMap((size) =>
      HARD.map(([begin, part, end], at) => [
        note(size, at),
        begin + part.repeat(Math.floor(size / part.length)) + end,
      ]),
    ),
  );
  await using stage = await openStage(scripted([]), { ...files, 'Plain.md': 'Words.\n' });
  const headless = await stage.start();
  for (const size of SIZES) {
    for (const [at] of HARD.entries()) {
      const edits = [{ position: 'end', content: 'One more line.' }];
      const input = { path: note(size, at), edits };
      const began = performance.now();
      const called = await headless.send<Called>('tool', { name: 'edit_file', input });
      console.log(
        `${JSON.stringify(HARD[at])} ${size / 1_000} KB: ${Math.round(performance.now() - began)} ms`,
      );
      const isRefused = called.reason?.includes('holds an ai-edit block') ?? false;
      const isAnswered = called.ok || called.needs === 'approval' || isRefused;
      expect(isAnswered, JSON.stringify([HARD[at], called.reason])).toBe(true);
      expect((await headless.state()).ok).toBe(true);
    }
  }
  const input = { path: 'Plain.md', edits: [{ position: 'end', content: 'One more line.' }] };
  expect(await headless.send('tool', { name: 'edit_file', input })).toMatchObject({ ok: true });
  expect(readFileSync(path.join(stage.vault, 'Plain.md'), 'utf8')).toContain('One more line.');
});
