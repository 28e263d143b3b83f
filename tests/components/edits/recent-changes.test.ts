import { screen as page, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, test } from 'vitest';
import { SCENES } from '#workbench/gallery/scenes';
import { openChat, type OpenedChat } from '../chat';

const TITLE = 'Changes since you last looked';

async function openRecent(name = 'recent-changes'): Promise<OpenedChat> {
  const scene = SCENES[name]?.();
  const chat = await openChat(scene?.scripts ?? [], scene);
  await tick();
  return chat;
}

const list = () => within(page.getByRole('region', { name: TITLE }));
const changesOf = (note: string) =>
  within(list().getByRole('region', { name: `Changes in ${note}` }));

describe('the list of recent changes', () => {
  test('the list shows each note’s changes since the last look as text, and opening it is a look', async () => {
    const { asked } = await openRecent();
    expect(list().getByRole('heading', { name: '3 changes in 2 notes' })).toBeVisible();
    expect(changesOf('Shopping').getAllByRole('listitem')).not.toHaveLength(0);
    expect((await changesOf('Shopping').findAllByText('milk'))[0]).toBeVisible();
    // The note was moved since.
    expect(await changesOf('Boat').findByText('Changed properties')).toBeVisible();
    expect(list().getByRole('button', { name: 'Boat Archive/2026' })).toBeVisible();
    const [looked] = asked('setLastLook');
    expect(Number(looked)).toBeGreaterThan(Date.now() - 60_000);
  });

  test('Keep removes a change from the list without touching the note, and the focus goes on', async () => {
    const { asked, user } = await openRecent();
    const [first] = list().getAllByRole('button', { name: 'Keep: Changed, Shopping' });
    first?.focus();
    await user.keyboard('{Enter}');
    expect(list().getByRole('heading', { name: '2 changes in 2 notes' })).toBeVisible();
    expect(document.activeElement).toHaveAccessibleName('Keep: Changed, Shopping');
    await user.click(list().getByRole('button', { name: 'Keep all' }));
    expect(list().getByText('Parley changed nothing since then.')).toBeVisible();
    expect(asked('undo')).toEqual([]);
  });

  test('Undo undoes one change, which then leaves the list', async () => {
    const { asked, user } = await openRecent();
    await user.click(list().getByRole('button', { name: 'Undo: Changed properties, Boat' }));
    expect(asked('undo')).toEqual([{ change: 'change-update_properties-recent' }]);
    expect(await list().findByRole('heading', { name: '2 changes in 1 note' })).toBeVisible();
  });

  test('the last 7 days can be listed after an earlier look', async () => {
    const { user } = await openRecent();
    await user.click(list().getByRole('button', { name: 'Show the last 7 days' }));
    expect(await list().findByRole('heading', { name: '4 changes in 3 notes' })).toBeVisible();
    expect(list().queryByRole('button', { name: 'Show the last 7 days' })).toBeNull();
  });

  test('the menu of the panel opens the list, which says when there is nothing', async () => {
    const scene = SCENES['recent-changes-none']?.();
    const { ui, user } = await openChat(scene?.scripts ?? []);
    await user.click(page.getByRole('button', { name: 'More' }));
    ui.chooseFromMenu(TITLE);
    await tick();
    expect(await list().findByText('Parley changed nothing since then.')).toBeVisible();
  });
});
