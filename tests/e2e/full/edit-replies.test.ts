/** Replies to a pending edit in its note, by keyboard alone: revise it, ask, go back, accept. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { gate } from '#workbench/model/faults';
import { call, reply } from '#workbench/model/replies';
import { scripted } from '#workbench/model/scripted';
import { lastSaid, textOf, type ModelRequest } from '#workbench/model/wire';
import { proposalBlock } from '#tests/e2e/blocks';
import { openWorkbench, withAgent } from '#tests/e2e/driver';

const NOTE = 'Welcome.md';
const LONG = 'The quick brown fox jumps over the lazy dog, and it does so twice a day.\n';
const FIRST = proposalBlock('fox-edit', { before: 'A fox jumps.\n', after: LONG }, 0);
const SECOND = proposalBlock('end-edit', { before: 'The end.\n', after: 'And that is the end.\n' });
const TEXT = `# Plan\n\n${FIRST}Another line.\n\n${SECOND}`;

test('an edit is talked about in its note by keyboard alone, and its versions can be chosen', async () => {
  const shorter = 'The quick fox jumps twice a day.';
  const isDone = gate();
  const position = (request: ModelRequest) =>
    /position "([^"]+)"/.exec(textOf(request.messages[lastSaid(request.messages)]?.content))?.[1] ??
    'none';
  const done = (summary: string) => call('done', { summary, outcome: 'done' });
  const script = scripted(
    [
      async (request) => {
        await isDone.promise;
        const edits = [{ position: position(request), content: shorter }];
        return reply(call('edit_file', { path: NOTE, edits }), done('It is half as long now.'));
      },
      () => reply(done('Your other notes are in the present tense, and so is this.')),
    ],
    { asides: reply() },
  );
  await using desk = await openWorkbench({
    sample: false,
    proposed: { [NOTE]: TEXT },
    settings: { panelMode: 'review' },
  });
  const { page, vault, serving } = desk;
  const { server } = serving.demo!;
  server.setRespond(script);
  const text = () => readFileSync(path.join(vault, NOTE), 'utf8');
  const widget = page.locator('.mod-root .block-language-ai-edit').first();
  const field = widget.getByRole('textbox', { name: 'Reply to this edit' });
  const isFocused = (label: string) =>
    page.evaluate((name) => document.activeElement?.getAttribute('aria-label') === name, label);
  const command = async (name: string) => {
    await page.keyboard.press('Control+p');
    await page.keyboard.type(name);
    await page.locator('.suggestion-item.is-selected', { hasText: name }).waitFor();
    await page.keyboard.press('Enter');
  };
  const checkLooks = async (name: string) => {
    for (const theme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      for (const width of [620, 1360]) {
        await page.setViewportSize({ width, height: 860 });
        await desk.screenshot(`edit-replies/${name}-${theme}-${width}`);
      }
    }
  };
  await expect.poll(() => withAgent(page, (agent) => agent.edits.pending().length)).toBe(1);

  await command('Go to next edit');
  await command('Reply to this edit');
  await expect.poll(() => isFocused('Reply to this edit')).toBe(true);
  await checkLooks('open');
  await page.keyboard.type('shorter');
  await page.keyboard.press('Enter');
  await widget.getByText('Working…').waitFor();
  await checkLooks('working');
  isDone.open();
  await widget.getByText('Version 2 of 2').waitFor();
  await widget.getByText('It is half as long now.').waitFor();
  // The widget was replaced for the new text, and the field still has the focus.
  await expect.poll(() => isFocused('Reply to this edit')).toBe(true);
  expect(text()).toContain(SECOND);
  expect(text()).toContain(`"after":"${shorter}\\n"`);

  await page.keyboard.type('why the present tense?');
  await page.keyboard.press('Enter');
  await widget.getByText('Your other notes are in the present tense').waitFor();
  await checkLooks('answered');

  await page.keyboard.type('a draft');
  await page.keyboard.press('Escape');
  await expect.poll(() => field.count()).toBe(0);
  await expect.poll(() => isFocused('Edit 1 of 2 in Welcome')).toBe(true);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(text).toBe(TEXT);
  await widget.getByText('Version 1 of 2').waitFor();
  await command('Reply to this edit');
  await expect.poll(() => field.inputValue()).toBe('a draft');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
  await widget.getByText('Version 2 of 2').waitFor();
  await command('Accept edit at cursor');
  await expect.poll(text).toBe(`# Plan\n\n${shorter}\nAnother line.\n\n${SECOND}`);
  expect(server.violations).toEqual([]);
  expect(await desk.faults()).toEqual([]);
});
