import { expect, test } from 'vitest';
import '#workbench/boot-headless';
import { openHost } from '#tests/builders/workbench-host';

test("the headless host provides a document with Obsidian's DOM extensions", async () => {
  await using host = await openHost();
  const el = document.body.createDiv({ cls: 'a', text: 'x' });
  expect(el).toBeInstanceOf(HTMLElement);
  expect(el).toBeInstanceOf(Node);
  expect(el.instanceOf(HTMLDivElement)).toBe(true);
  expect([el.doc, el.win]).toEqual([document, window]);
  expect([activeDocument, activeWindow]).toEqual([document, window]);
  expect(host.app.workspace.layoutReady).toBe(true);
});

test("the headless window uses Node's own globals instead of replacing them", () => {
  expect(window.fetch).toBe(fetch);
  expect(window.setTimeout).toBe(setTimeout);
  expect(window.crypto).toBe(crypto);
  for (const own of [fetch, Event, EventTarget, AbortController, ReadableStream, TextEncoder]) {
    expect(own.toString()).not.toContain('webidl.converters["');
  }
  expect(typeof WebSocket).toBe('function');
  expect(new Response('x', { headers: { a: 'b' } }).headers.get('a')).toBe('b');
});

test('the headless window is hidden and runs no animation frames', () => {
  expect(document.hidden).toBe(true);
  expect(typeof requestAnimationFrame(() => expect.unreachable())).toBe('number');
});

test('aborting its signal removes a listener from a DOM node', () => {
  const controller = new AbortController();
  let clicks = 0;
  document.addEventListener('click', () => clicks++, { signal: controller.signal });
  document.dispatchEvent(new MouseEvent('click'));
  controller.abort();
  document.dispatchEvent(new MouseEvent('click'));
  expect(clicks).toBe(1);
});

test("a DOM element receives events made with Node's constructors", () => {
  const el = document.createElement('div');
  const details: unknown[] = [];
  el.addEventListener('told', (event) => details.push((event as CustomEvent).detail));
  el.dispatchEvent(new CustomEvent('told', { detail: 7 }));
  el.dispatchEvent(new Event('told'));
  expect(details).toEqual([7, null]);
});
