/**
 * Notes that change on disk while the agent works, through sync, another program or the user
 * elsewhere.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { call, reply } from '#workbench/model/replies';
import { toolResults } from '#workbench/model/wire';
import { openChat } from '#tests/e2e/chat';
import { openWorkbench, type PageWithParley } from '#tests/e2e/driver';

const SHOPPING = 'Lists/Shopping.md';
const TODO = 'Lists/Todo.md';
const OPEN = 'Notes/Compost.md';
const NEW = 'Notes/Written outside.md';

interface InPage {
  app: { vault: { adapter: { read(path: string): Promise<string> } } };
}

test('after an outside change, an edit follows its moved line or fails with the new text', async () => {
  let outside: () => Promise<void> = async () => undefined;
  await using chat = await openChat({
    model: [
      reply('I read both.', call('read_file', { paths: [SHOPPING, TODO] })),
      async () => {
        await outside();
        return reply(
          'Now I change them.',
          call('edit_file', {
            path: SHOPPING,
            edits: [{ position: 'replace:4', content: '- Eggs, two dozen' }],
          }),
          call('edit_file', {
            path: TODO,
            edits: [{ position: 'replace:5', content: '- [x] Order seeds' }],
          }),
        );
      },
      reply('Eggs are changed. The seeds had changed meanwhile, so I left them.'),
    ],
  });
  const { log, page, vault } = chat;
  await page.getByRole('treeitem', { name: 'Notes' }).click();
  await page.getByRole('treeitem', { name: 'Compost' }).click();
  const editor = page.locator('.mod-root .cm-content');
  await editor.getByText('Compost').first().waitFor();
  const change = (note: string, to: (text: string) => string) =>
    writeFileSync(path.join(vault, note), to(readFileSync(path.join(vault, note), 'utf8')));

  outside = async () => {
    change(SHOPPING, (text) => text.replace('# Shopping\n', '# Shopping\n\n- Rye flour'));
    change(TODO, (text) => text.replace('Order seeds before', 'Order the tomato seeds before'));
    change(OPEN, () => '# Compost\n\nTurned outside.\n');
    writeFileSync(path.join(vault, NEW), 'New.\n');
    await expect
      .poll(() =>
        page.evaluate((note) => (window as unknown as InPage).app.vault.adapter.read(note), TODO),
      )
      .toContain('tomato seeds');
  };
  await chat.send('two dozen eggs, and the seeds are ordered');
  await log.getByText('Eggs are changed.').waitFor();
  await chat.idle();

  expect(chat.read(SHOPPING)).toMatch(
    /^# Shopping\n\n- Rye flour\n- Oat milk\n- Eggs, two dozen\n/,
  );
  expect(chat.read(TODO)).toContain('- [ ] Order the tomato seeds before');
  const [moved, refused] = toolResults(chat.modelRequests().at(-1)?.messages ?? []).slice(-2);
  expect(moved).toMatchObject({ isError: false });
  expect(moved?.text).toMatch(/changed since you saw it; line 4 had moved/);
  expect(refused).toMatchObject({ isError: true });
  expect(refused?.text).toContain('Order the tomato seeds before');

  await page.getByRole('treeitem', { name: 'Written outside' }).waitFor();
  await editor.getByText('Turned outside.').waitFor();
  const trace = log.locator('details', { hasText: 'Did not edit' }).first();
  await trace.locator('summary').first().click();
  await trace.locator('summary', { hasText: '1 failed' }).click();
  await trace.locator('summary', { hasText: 'Did not edit' }).click();
  await chat.checkLooks('outside-changes');
  await chat.expectNoFaults();
});

test('a tool call that changes an open note reports it once it is in the file, also during a save', async () => {
  await using workbench = await openWorkbench({
    ...{ sample: false, files: { 'Welcome.md': 'one\n' } },
  });
  const { page } = workbench;
  await page.locator('.mod-root .cm-content', { hasText: 'one' }).waitFor();
  const saved = await page.evaluate(async () => {
    interface Saving {
      view: {
        editor: { getValue(): string; replaceSelection(text: string): void };
        save(): Promise<void>;
      };
    }
    const { app } = window as unknown as PageWithParley & {
      app: {
        vault: {
          modify(file: object, text: string): Promise<void>;
          adapter: { read(path: string): Promise<string> };
        };
        workspace: { activeLeaf: Saving };
      };
    };
    const { vault, workspace } = app;
    const { view } = workspace.activeLeaf;
    const modify = vault.modify.bind(vault);
    vault.modify = async (...given) => {
      // The first write is held up until the tool has changed the editor.
      do await new Promise((resolve) => setTimeout(resolve, 300));
      while (!view.editor.getValue().includes('two'));
      return modify(...given);
    };
    const agent = await app.plugins.plugins.parley.agent;
    await agent.tools.call('read_file', { path: 'Welcome.md' });
    view.editor.replaceSelection('typed ');
    const saving = view.save();
    const edits = [{ old_text: 'one', new_text: 'two' }];
    const answer = await agent.tools.call('edit_file', { path: 'Welcome.md', edits });
    const text = await vault.adapter.read('Welcome.md');
    await saving;
    return [answer.ok, text];
  });
  expect(saved).toEqual([true, 'typed two\n']);
  expect(await workbench.faults()).toEqual([]);
});
