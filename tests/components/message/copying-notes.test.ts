import { screen as page } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { PageUi } from '#workbench/gallery/page-ui';
import { Script } from '#workbench/gallery/script';
import { Caller } from '#tests/policy/caller';
import { openChat } from '../chat';

const offering = () =>
  new Script('a')
    .ask('Let me copy them')
    .step()
    .call('copy_notes', { paths: ['Seeds.md', 'Lists/Beans.md'] }, 'A button copies them.', {
      details: { kind: 'copy', paths: ['Seeds.md', 'Lists/Beans.md'] },
    })
    .say('Click to copy both.')
    .done('Click to copy both.');

const told = (ui: PageUi, verb: string) =>
  ui.asked.filter(([name]) => name === verb).map(([, text]) => text);

const button = () => page.getByRole('button', { name: /^(Copy Seeds, Beans|Copied)$/ });

test('notes are read and copied only when the user clicks', async () => {
  const { asked, ui, user } = await openChat([offering()]);
  expect(asked('textOf')).toEqual([]);
  expect(told(ui, 'copy')).toEqual([]);
  await user.click(button());
  expect(asked('textOf')).toEqual([['Seeds.md', 'Lists/Beans.md']]);
  expect(told(ui, 'copy')).toEqual(['The text of Seeds.md\n\nThe text of Lists/Beans.md\n']);
  await expect.poll(() => button().getAttribute('aria-label')).toBe('Copied');
});

test('the button copies the current text of the notes', async () => {
  const { toolContexts } = new Caller({
    'Seeds.md': 'Peas.\n\n',
    'Lists/Beans.md': '\nBroad beans.',
  });
  const { agent, ui, user } = await openChat([offering()]);
  agent.tools.textOf = (paths) => toolContexts.textOf(paths);
  await user.click(button());
  await expect.poll(() => told(ui, 'copy')).toEqual(['Peas.\n\nBroad beans.\n']);
});

test.each([
  [{ 'Seeds.md': 'Peas.' }, 'Lists/Beans.md: It is not in the vault.'],
  [
    { 'Seeds.md': 'Peas. #private', 'Lists/Beans.md': 'Beans.' },
    'Seeds.md: It is not in the vault.',
  ],
  [
    { 'Seeds.md': Uint8Array.of(0xfc), 'Lists/Beans.md': 'Beans.' },
    'Seeds.md: This can’t be read as text.',
  ],
])(
  'a note of %o that can no longer be read is named in words for the user, and nothing is copied',
  async (files, notice) => {
    const { toolContexts } = new Caller(files);
    const { agent, ui, user } = await openChat([offering()]);
    agent.tools.textOf = (paths) => toolContexts.textOf(paths);
    await user.click(button());
    await expect.poll(() => told(ui, 'notice')).toEqual([notice]);
    expect(told(ui, 'copy')).toEqual([]);
  },
);

test('the button is missing if no note can be offered, and the trace says so', async () => {
  const failed = new Script('a').ask('Let me copy it').step();
  failed.call('copy_notes', { paths: ['Gone.md'] }, '`Gone.md` does not exist.', { failed: true });
  await openChat([failed.say('It is gone.').done('It is gone.')]);
  expect(page.queryByRole('button', { name: /^Copy Gone/ })).toBeNull();
  expect(page.getByText('Could not offer')).toBeInTheDocument();
});
