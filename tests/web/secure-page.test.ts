/** Pages over https: which name the certificate must have, and which address is connected to. */
import '#workbench/boot-headless';
import { afterEach, describe, expect, test } from 'vitest';
import type { PageRead } from '#ports/web';
import { readPage } from '#web/read-page';
import { html, localWeb, to, type LocalWeb } from './web-server';

const NEVER = new AbortController().signal;
const NOT_TRUSTED = 'its certificate is not trusted';
const PAGES = { '/': html('<p>Words.</p>') };

let web: LocalWeb | null = null;
afterEach(() => web?.close());

async function opened(
  isTrusted: boolean,
  names: Parameters<typeof localWeb>[1] = {},
  pages: Parameters<typeof localWeb>[0] = PAGES,
): Promise<LocalWeb> {
  return (web = await localWeb(pages, names, [], { isTrusted }));
}

function read({ host, port }: LocalWeb, name: string): Promise<PageRead> {
  const clock = { after: () => () => undefined };
  return readPage({ host, clock }, `https://${name}:${port}/`, NEVER);
}

async function problemOf(reading: Promise<PageRead>): Promise<string> {
  const found = await reading;
  return found.ok ? 'none' : found.reason;
}

describe('A page over https', () => {
  test('readPage refuses an untrusted certificate before it sends a request', async () => {
    const { asked, greeted } = await opened(false);
    expect(await problemOf(read(web!, 'example.org'))).toContain(NOT_TRUSTED);
    expect(greeted).toEqual(['example.org']);
    expect(asked).toEqual([]);
  });

  test('readPage requests the page by its name at the address that was checked', async () => {
    const { asked, greeted, looked } = await opened(true);
    const found = await read(web!, 'example.org');
    expect(found).toMatchObject({ ok: true, page: { text: 'Words.' } });
    expect(greeted).toEqual(['example.org']);
    expect(asked).toEqual(['example.org/']);
    expect(looked).toEqual(['example.org']);
  });

  test('readPage refuses a certificate for another name', async () => {
    const { asked, greeted } = await opened(true);
    expect(await problemOf(read(web!, 'www.example.com'))).toContain(NOT_TRUSTED);
    expect(greeted).toEqual(['www.example.com']);
    expect(asked).toEqual([]);
  });

  test("readPage opens no connection to a name in the user's own network", async () => {
    const { asked, greeted } = await opened(true, { 'example.org': [['10.0.0.7']] });
    expect(await problemOf(read(web!, 'example.org'))).toContain('own network');
    expect([...asked, ...greeted]).toEqual([]);
  });

  test('readPage checks the address again after a redirect', async () => {
    const names = { 'example.org': [['127.0.0.1'], ['192.168.1.1']] };
    const { asked, greeted } = await opened(true, names, { '/': to('/there') });
    expect(await problemOf(read(web!, 'example.org'))).toContain('own network');
    expect(asked).toEqual(['example.org/']);
    expect(greeted).toEqual(['example.org']);
  });

  test('readPage reports a host that does not speak https', async () => {
    web = await localWeb(PAGES);
    expect(await problemOf(read(web, 'example.org'))).toContain('speaks no https');
  });
});
