import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import { serversBench } from './bench';
import { everything, everythingAtAddress, filesIn } from './programs';

describe('The everything reference server', () => {
  it.each(['as a program', 'at an address'])('the server answers its calls %s', async (way) => {
    await using far = way === 'at an address' ? await everythingAtAddress() : null;
    await using here = serversBench([far?.server ?? everything()], { quiet: 10_000 });
    expect(await here.offered()).toEqual(
      expect.arrayContaining(['echo', 'get-sum', 'get-tiny-image', 'get-structured-content']),
    );
    expect(await here.call('echo', { message: 'hello' })).toBe('Echo: hello');
    expect(await here.call('get-sum', { a: 2, b: 40 })).toBe('The sum of 2 and 40 is 42.');
    expect(await here.call('get-tiny-image')).toMatch(/\[image, image\/png, \d+ KB, not shown\]/);
    expect(await here.call('get-resource-links', { count: 2 })).toMatch(/\[resource .*: demo:/);
    expect(await here.call('get-structured-content', { location: 'Chicago' })).toContain('36');
    expect(await here.call('no-such-tool')).toContain('no-such-tool');
    expect(await here.call('get-sum', { a: 'two' })).toContain('expected number');
    expect(here.servers.status(here.listed[0]!).kind).toBe('up');
  });

  it('a running call ends when the user stops the turn', async () => {
    await using here = serversBench([everything()], { quiet: 10_000 });
    await here.offered();
    const stop = new AbortController();
    const call = here.call(
      'trigger-long-running-operation',
      { duration: 60, steps: 60 },
      stop.signal,
    );
    stop.abort();
    expect(await call).toBe('Stopped by the user before it finished.');
    expect(await here.call('echo', { message: 'still here' })).toBe('Echo: still here');
  });

  it("the server process gets its own variables but not those of Parley's environment", async () => {
    process.env['PARLEY_TEST_SECRET'] = 'zxsecretxz';
    const server = { ...everything(), env: { WORD: 'said {{magic-word}}' } };
    await using here = serversBench([server], { quiet: 10_000 });
    here.secrets['magic-word'] = 'pretty please';
    await here.offered();
    const env = await here.call('get-env');
    delete process.env['PARLEY_TEST_SECRET'];
    // The server got the secret, which is redacted in what it returns.
    expect(env).toContain('"WORD": "said •••"');
    expect(env).not.toContain('zxsecretxz');
  });
});

it('the filesystem reference server reads files in its folder and no others', async () => {
  const folder = realpathSync(temporaryFolder('served'));
  const elsewhere = mkdtempSync(path.join(realpathSync(tmpdir()), 'not-served-'));
  writeFileSync(path.join(folder, 'a.txt'), 'Apples.');
  writeFileSync(path.join(elsewhere, 'b.txt'), 'Pears.');
  await using here = serversBench([filesIn(folder)], { quiet: 10_000 });
  const [offer] = await here.offers();
  const saysItReads = (name: string) =>
    offer?.tools?.find((each) => each.name === name)?.saysItReads;
  expect(saysItReads('read_text_file')).toBe(true);
  expect(saysItReads('write_file')).toBe(false);
  expect(await here.call('read_text_file', { path: path.join(folder, 'a.txt') })).toBe('Apples.');
  expect(await here.call('read_text_file', { path: path.join(elsewhere, 'b.txt') })).toMatch(
    /Access denied/,
  );
});
