/**
 * Reviewing pending edits by commands: moving between them, deciding each or all, and opening the
 * lists.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { proposalBlock } from '#tests/e2e/blocks';
import { openWorkbench, withAgent, type OpenedWorkbench } from '#tests/e2e/driver';

const FIRST = proposalBlock('first', { before: 'Old words.\n', after: 'New words.\n' }, 0);
const SECOND = proposalBlock('second', { after: '- added\n' });
const THIRD = proposalBlock('third', { before: 'Gone soon.\n' });
const FILES = {
  'Welcome.md': '# Start\n\nNothing to review here.\n',
  'A.md': `# A\n\n${FIRST}Between.\n\n- item\n${SECOND}- last\n`,
  'C.md': '# C\n\nOne line.\n\nBetween.\n\nTwo lines.\n',
  'B.md': `# B\n\n${'Long.\n\n'.repeat(60)}${THIRD}# End\n`,
};

interface InPage {
  app: {
    commands: {
      executeCommandById(id: string): boolean;
      listCommands(): { id: string }[];
    };
    workspace: { getActiveFile(): { path: string } | null };
  };
}

interface Desk extends OpenedWorkbench {
  /** Resolves with false if the command does not apply. */
  run(command: string): Promise<boolean>;
  /** Commands about pending edits that currently apply. */
  offered(): Promise<string[]>;
  note(): Promise<string | undefined>;
  read(note: string): string;
}

async function openDesk(): Promise<Desk> {
  const opened = await openWorkbench({
    sample: false,
    files: FILES,
    settings: { panelMode: 'review' },
  });
  const { page, vault } = opened;
  const desk: Desk = {
    ...opened,
    run: (command) =>
      page.evaluate(
        (id) => (window as unknown as InPage).app.commands.executeCommandById(id),
        `parley:${command}`,
      ),
    offered: () =>
      page.evaluate(() =>
        (window as unknown as InPage).app.commands
          .listCommands()
          .flatMap(({ id }) =>
            /^parley:(?!quick-).*edits?$/.test(id) ? [id.replace('parley:', '')] : [],
          )
          .sort(),
      ),
    note: () =>
      page.evaluate(() => (window as unknown as InPage).app.workspace.getActiveFile()?.path),
    read: (note) => readFileSync(path.join(vault, note), 'utf8'),
  };
  // At start, pending edits are found by scanning the notes.
  await expect.poll(() => withAgent(page, (agent) => agent.edits.pending().length)).toBe(2);
  return desk;
}

const VAULT_WIDE = ['next-edit', 'previous-edit', 'show-edits'];
const HERE = ['accept-all-edits', 'reject-all-edits'];
const AT_CURSOR = ['accept-edit', 'amend-edit', 'reject-edit', 'reply-to-edit'];

test('commands move between pending edits across notes and are offered only where they apply', async () => {
  await using desk = await openDesk();
  const { page, run, offered, note } = desk;
  expect(await offered()).toEqual(VAULT_WIDE);
  const seen = (words: string) => page.locator('.mod-root .cm-editor').getByText(words);

  await run('next-edit');
  await expect.poll(note).toBe('A.md');
  await seen('New').waitFor();
  expect(await offered()).toEqual([...AT_CURSOR, ...HERE, ...VAULT_WIDE].sort());
  await run('next-edit');
  await run('next-edit');
  await expect.poll(note).toBe('B.md');
  await expect.poll(() => seen('Gone soon.').isVisible()).toBe(true);
  await desk.screenshot('edits/walked');
  await run('previous-edit');
  await expect.poll(note).toBe('A.md');
  await run('previous-edit');
  await run('previous-edit');
  await expect.poll(note).toBe('B.md');
  // After the last edit, the command wraps around to the first.
  await run('next-edit');
  await expect.poll(note).toBe('A.md');
  expect(desk.read('A.md')).toBe(FILES['A.md']);
  expect(desk.read('B.md')).toBe(FILES['B.md']);
  expect(await desk.faults()).toEqual([]);
});

test('commands accept, amend and reject the edit at the cursor and undo the last change', async () => {
  await using desk = await openDesk();
  const { page, run, note, read } = desk;
  await run('next-edit');
  await expect.poll(note).toBe('A.md');
  await expect.poll(() => run('accept-edit')).toBe(true);
  await expect.poll(() => read('A.md')).toBe(FILES['A.md'].replace(FIRST, 'New words.\n'));
  await run('undo-last-change');
  await expect.poll(() => read('A.md')).toBe(FILES['A.md']);

  // The restored edit is at the cursor, so commands apply to it.
  await expect.poll(() => run('amend-edit')).toBe(true);
  const form = page.locator('.mod-root .cm-editor').getByRole('textbox', { name: 'Changed text' });
  await form.fill('Other words.');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => read('A.md')).toContain('Other words.\nBetween.');
  expect(read('A.md')).not.toContain('"first"');

  await run('next-edit');
  await expect.poll(() => run('reject-edit')).toBe(true);
  await expect.poll(() => read('A.md')).toContain('- item\n- last\n');
  expect(await desk.faults()).toEqual([]);
});

test('one command decides all edits of a note that this device proposed, and the edit lists open in the chat', async () => {
  await using desk = await openDesk();
  const { page, run, read, note } = desk;
  await run('show-edits');
  const list = page.getByRole('region', { name: 'Edits to review' });
  await list.getByText('Gone soon.').waitFor();
  await desk.screenshot('edits/list');
  await withAgent(page, async (agent) => {
    const edits = [
      { old_text: 'One line.', new_text: 'One new line.' },
      { old_text: 'Two lines.', new_text: 'Two new lines.' },
    ];
    await agent.tools.call('edit_file', { path: 'C.md', edits });
  });
  await expect.poll(() => read('C.md')).toContain('```ai-edit');
  await page.getByText('C', { exact: true }).first().click();
  await expect.poll(note).toBe('C.md');
  await expect.poll(() => run('accept-all-edits')).toBe(true);
  await expect
    .poll(() => read('C.md'))
    .toBe('# C\n\nOne new line.\n\nBetween.\n\nTwo new lines.\n');
  await run('show-note-history');
  const history = page.getByRole('region', { name: 'Parley’s changes to this note' });
  // Both edits were decided at once, so the history has one entry besides the proposal.
  await expect.poll(() => history.getByRole('listitem').count()).toBe(2);
  await desk.screenshot('edits/history');
  await run('undo-last-change');
  await expect.poll(() => read('C.md')).toContain('```ai-edit');
  await expect.poll(() => run('reject-all-edits')).toBe(true);
  await expect.poll(() => read('C.md')).toBe(FILES['C.md']);
  expect(await desk.faults()).toEqual([]);
});
