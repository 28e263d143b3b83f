/** Links in a message that was sent. */
import { screen } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { Script } from '#workbench/gallery/script';
import { openChat } from '../chat';

test('a link in a sent message reads as its words, opens, and is kept as it was written', async () => {
  const text = ' Compare [[Packing]],\n[[Trips/Lisbon#Hotel|the hotel]] and [x](y.md) [[#Own]] ';
  const script = new Script('a').ask(text).step().say('Done.').done('Done.');
  const { ui, user } = await openChat([script]);
  const message = document.querySelector('.person p');
  expect(message?.textContent).toBe(text);
  const links = screen.getAllByRole('button', { name: /^(?:Packing|the hotel)$/ });
  expect(links.map((link) => link.title)).toEqual(['Packing', 'Trips/Lisbon#Hotel']);
  await user.click(links[1]!);
  expect(ui.asked.at(-1)).toEqual(['openNote', 'Trips/Lisbon#Hotel', 'here']);
});
