import { screen } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { sourcesOf } from '#components/message/turn-facts.ts';
import { reduceAll } from '#model/reducer';
import { Script } from '#workbench/gallery/script';
import { openChat } from '../chat';

test('the chip of a redirected page names the addresses that led to it', async () => {
  const via = ['https://a.example/', 'https://b.example/'];
  const page = { url: 'https://c.example/trees', title: 'Trees' };
  const script = new Script('a').ask('View').step();
  for (const source of [
    { ...page, via },
    { url: 'https://d.example/', title: '' },
  ]) {
    script.call('read_webpage', {}, 'Text', { details: { kind: 'sources', sources: [source] } });
  }
  const turn = reduceAll(script.id, script.done('').events).turns.at(-1)!;
  expect(sourcesOf(turn)[0]).toEqual({ kind: 'page', ...page, via });
  await openChat([script]);
  const [redirected, plain] = screen.getAllByRole('link');
  expect(redirected?.getAttribute('href')).toBe(page.url);
  expect(redirected?.title).toBe(
    'Trees\nhttps://c.example/trees\nRedirected from https://a.example/, then https://b.example/',
  );
  expect(plain?.title).toBe('https://d.example/');
});
