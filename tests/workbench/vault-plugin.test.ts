import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readStartOptions } from '#workbench/serve';
import { temporaryFolder } from '#tests/builders/temporary-folder';

const HERE = import.meta.dirname;
const FOLDER = `import { vaultFromArguments } from './build/vault-plugin.mjs';
console.log(vaultFromArguments('install-plugin'));`;

const named = (vault: string) =>
  spawnSync(process.execPath, ['--input-type=module', '-e', FOLDER, '--', '--vault', vault], {
    cwd: HERE,
    encoding: 'utf8',
  });

test('a folder without .obsidian is refused as no vault, and left as it is', () => {
  const folder = temporaryFolder('no-vault');
  const { status, stderr } = named(folder);
  expect([status, stderr]).toEqual([
    2,
    `${folder} is no vault: it has no .obsidian folder. Open the folder in Obsidian once, or check that it is the right one.\n`,
  ]);
  expect(readdirSync(folder)).toEqual([]);
});

test('a folder that Obsidian has opened is a vault', () => {
  const folder = temporaryFolder('vault');
  mkdirSync(path.join(folder, '.obsidian'));
  expect(named(folder).stdout).toBe(`${folder}\n`);
  expect(existsSync(path.join(folder, '.obsidian/plugins'))).toBe(false);
});

test('the demo explains its arguments instead of sending them as a request', () => {
  const demo = (...args: string[]) =>
    spawnSync(process.execPath, [path.join(HERE, 'demo.mjs'), ...args], { encoding: 'utf8' });
  const [help, wrong] = [demo('--help'), demo('--vault')];
  expect([help.status, wrong.status]).toEqual([0, 2]);
  expect(help.stderr).toMatch(/^Usage: npm run demo -- \[REQUEST\]/);
  expect(wrong.stderr).toMatch(/^--vault is no option\./);
});

test('a start without -- names it', () => {
  const read = (env: Record<string, string>, ...args: string[]) => {
    const options = readStartOptions(args, env);
    return options.ok ? null : options.reason.split('\n')[0];
  };
  const hint = 'npm took --vault for itself. Put -- before the options: npm start -- --vault …';
  expect(read({ npm_config_vault: 'true' }, HERE)).toBe(hint);
  expect(read({ npm_config_vault: HERE })).toBe(hint);
  expect(read({}, HERE)).toMatch(/Put -- before the options|does not take positional/);
  expect(read({}, '--vault', HERE)).toBeNull();
});
