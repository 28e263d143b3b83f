/** Where programs are looked for, with login shells that are real processes. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { forgetProgramPath, programPath } from '#mcp/client/program-path';
import { hasProcessEnded } from '#obsidian/platform/platform';
import { systemClock } from '#obsidian/platform/system-clock';
import { eventually } from '../builders/eventually';
import { testClock } from '../builders/fake-clock';
import { NODE } from '../builders/node-modules';
import { temporaryFolder } from '../builders/temporary-folder';
import { serversBench } from './bench';
import { rogue } from './programs';

const LAUNCHER_PATH = '/usr/bin:/bin:/usr/sbin:/sbin';
const RUN_LAST = 'for last; do :; done\neval "$last"';
const clock = systemClock(NODE);

let home: string;

beforeEach(() => {
  home = temporaryFolder('home');
  vi.stubEnv('HOME', home);
  vi.stubEnv('PATH', LAUNCHER_PATH);
  forgetProgramPath();
  return () => vi.unstubAllEnvs();
});

/** Makes a script the login shell. */
function useShell(...lines: readonly string[]): void {
  const shell = path.join(home, 'shell');
  writeFileSync(shell, ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
  vi.stubEnv('SHELL', shell);
}

test('folders of the login shell come first, then those of the app, each once', async () => {
  useShell('export PATH=/of/the/shell:/usr/bin', RUN_LAST);
  const folders = (await programPath(clock)).split(':');
  expect(folders.slice(0, 5)).toEqual(['/of/the/shell', '/usr/bin', '/bin', '/usr/sbin', '/sbin']);
  expect(folders).toEqual([...new Set(folders)]);
});

test('text that a profile writes is not taken for the answer', async () => {
  useShell('printf "PATH=/posing "; export PATH=/of/the/shell', RUN_LAST, 'echo PATH=/later');
  expect(await programPath(clock)).toMatch(/^\/of\/the\/shell:\/usr\/bin:/);
});

test('relative folders are left out, because they depend on the current folder', async () => {
  useShell('export PATH=.:bin:/of/the/shell:', RUN_LAST);
  expect(await programPath(clock)).toMatch(/^\/of\/the\/shell:\/usr\/bin:/);
});

test.each([
  ['is missing', null],
  ['exits at once', ['exit 1']],
  ['does not carry out the command', ['echo Hello']],
  ['writes without end', ['yes']],
])('the folders of the app are searched if the login shell %s', async (_how, lines) => {
  if (lines) useShell(...lines);
  else vi.stubEnv('SHELL', path.join(home, 'none'));
  expect(await programPath(clock)).toBe(LAUNCHER_PATH);
});

test('a login shell that hangs is ended with all that it started', async () => {
  const pids = path.join(home, 'pids');
  useShell(`sleep 600 & echo $! > ${pids}; echo $$ >> ${pids}; wait`);
  const time = testClock();
  const found = programPath(time);
  const started = () => readFileSync(pids, 'utf8').trim().split('\n');
  await eventually(() => expect(started()).toHaveLength(2));
  await time.advance(5_000);
  expect((await found).startsWith(LAUNCHER_PATH)).toBe(true);
  for (const pid of started())
    await eventually(() => expect(hasProcessEnded(Number(pid))).toBe(true));
});

test('the login shell is asked once, and again after a program was not found', async () => {
  const asked = path.join(home, 'asked');
  useShell(`echo x >> ${asked}`, RUN_LAST);
  await Promise.all([programPath(clock), programPath(clock)]);
  await programPath(clock);
  expect(readFileSync(asked, 'utf8')).toBe('x\n');

  await using here = serversBench([{ ...rogue(), command: 'no-such-program', args: [] }]);
  await here.offered();
  const status = here.servers.status(here.listed[0]!);
  expect(status).toMatchObject({
    reason: expect.stringMatching(
      /^There is no program “no-such-program” on this computer/,
    ) as string,
    words: expect.stringContaining(`Parley looked in ${LAUNCHER_PATH}`) as string,
  });
  await programPath(clock);
  expect(readFileSync(asked, 'utf8')).toBe('x\nx\n');
});

test('a program that is missing at its full path is reported without folders', async () => {
  useShell(RUN_LAST);
  await using here = serversBench([{ ...rogue(), command: '/nowhere/program', args: [] }]);
  await here.offered();
  expect(here.servers.status(here.listed[0]!)).toMatchObject({
    reason: expect.stringMatching(/^There is no program at “\/nowhere\/program”/) as string,
    words: '',
  });
});
