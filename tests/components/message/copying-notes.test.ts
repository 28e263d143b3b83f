import { screen as page } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { PageUi } from '#workbench/gallery/page-ui';
import { Script } from '#workbench/gallery/script';
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

test('a note that may no longer be read is reported, and nothing is copied', async () => {
  const { agent, ui, user } = await openChat([offering()]);
  agent.tools.textOf = async () => ({ ok: false, problem: '`Seeds.md` does not exist.' });
  await user.click(button());
  await expect.poll(() => told(ui, 'notice')).toEqual(['`Seeds.md` does not exist.']);
  expect(told(ui, 'copy')).toEqual([]);
});

test('the button is missing if no note can be offered, and the trace says so', async () => {
  const failed = new Script('a').ask('Let me copy it').step();
  failed.call('copy_notes', { paths: ['Gone.md'] }, '`Gone.md` does not exist.', { failed: true });
  await openChat([failed.say('It is gone.').done('It is gone.')]);
  expect(page.queryByRole('button', { name: /^Copy Gone/ })).toBeNull();
  expect(page.getByText('Could not offer')).toBeInTheDocument();
});
