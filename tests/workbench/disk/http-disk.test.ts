import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import { writeFiles } from '#tests/builders/workbench-host';
import { createHttpDisk } from '#workbench/disk/http-disk';
import { createNodeDisk } from '#workbench/disk/node-disk';
import { startWorkbenchServer } from '#workbench/server/server';

test('calls of the same moment share a request, and each has its own value or error', async () => {
  const vault = temporaryFolder('served');
  writeFiles(vault, { 'a.md': 'one', 'b.md': '', 'c.md': 'größer', 'index.html': '' });
  const server = await startWorkbenchServer({
    ...{ disk: createNodeDisk(vault), pageDir: vault, secrets: new Map() },
    ...{ demo: null, smartHole: null },
    session: {
      ...{ base: vault, configDir: '.obsidian', pluginId: 'toy', settings: {} },
      ...{
        model: 'none',
        hasDemoModel: false,
        hasSimulatedSmartHole: false,
        isSmartHoleFound: false,
        platform: 'linux',
      },
    },
  });
  const page = await fetch(server.url, { redirect: 'manual' });
  const cookie = page.headers.get('set-cookie')?.split(';')[0] ?? '';
  const asked: string[] = [];
  const real = globalThis.fetch;
  vi.stubGlobal('fetch', (where: string, init: RequestInit) => {
    asked.push(where);
    return real(new URL(where, server.url), { ...init, headers: { cookie } });
  });
  onTestFinished(async () => {
    vi.unstubAllGlobals();
    await server.close();
  });
  const disk = createHttpDisk(vault);
  const [a, b, none, c] = await Promise.allSettled([
    disk.readText('a.md'),
    disk.readText('b.md'),
    disk.readBinary('none.md'),
    disk.readText('c.md'),
  ]);
  expect([a, b, c].map((each) => each.status === 'fulfilled' && each.value)).toEqual([
    'one',
    '',
    'größer',
  ]);
  expect(none).toMatchObject({ reason: { code: 'ENOENT' } });
  expect(asked.splice(0)).toEqual(['/api/disk/read-many', '/api/disk/read']);
  const [all, nowhere] = await Promise.allSettled([disk.list(''), disk.list('nowhere')]);
  expect(all.status === 'fulfilled' && all.value.map((entry) => entry.path)).toContain('c.md');
  expect(nowhere).toMatchObject({ reason: { code: 'ENOENT' } });
  expect(asked).toEqual(['/api/disk/list-many', '/api/disk/list']);
});
