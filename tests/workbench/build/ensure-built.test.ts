import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  cpSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { writeFiles } from '#tests/builders/workbench-host';
import { temporaryFolder } from '#tests/builders/temporary-folder';

const run = promisify(execFile);
const HERE = path.resolve(import.meta.dirname, '../../..');

const PLUGIN = `
  import { Plugin } from 'obsidian';
  import { EditorView } from '@codemirror/view';
  export default class Toy extends Plugin {
    async onload() {
      this.registerEditorExtension(EditorView.lineWrapping);
      this.app.workspace.onLayoutReady(() => {
        this.making = this.app.vault.create('Made.md', 'by the plugin');
      });
    }
  }
`;
const VITE = `
  export default {
    publicDir: false,
    build: {
      lib: { entry: 'src/main.js', formats: ['cjs'], fileName: () => 'main.js' },
      rolldownOptions: { external: ['obsidian', /^@codemirror/], output: { exports: 'named' } },
    },
  };
`;
const ENTRY = `
  import { bootHeadless } from './boot-headless';
  const [vault, pluginDir] = process.argv.slice(2);
  const host = await bootHeadless({ vault, pluginDir });
  const { path } = await host.plugin.making;
  if (process.env.WRITE) await host.plugin.making.then((file) => host.app.vault.modify(file, process.env.WRITE));
  await host.close();
  console.log(JSON.stringify({ path, errors: host.errors }));
`;
const BUILD = `
  import { ensureBuilt } from './tests/workbench/build/ensure-built.mjs';
  console.error(JSON.stringify(await ensureBuilt({ headlessEntry: 'tests/workbench/entry.ts' })));
`;

/** A temporary project: a toy plugin and a copy of this workbench. */
let project = '';

beforeAll(() => {
  project = temporaryFolder('project');
  symlinkSync(path.join(HERE, 'node_modules'), path.join(project, 'node_modules'));
  cpSync(path.join(HERE, 'tests/workbench'), path.join(project, 'tests/workbench'), {
    recursive: true,
  });
  cpSync(path.join(HERE, 'package.json'), path.join(project, 'package.json'));
  cpSync(path.join(HERE, 'tsconfig.json'), path.join(project, 'tsconfig.json'));
  writeFiles(project, {
    'manifest.json': JSON.stringify({ id: 'toy', name: 'Toy', version: '1.0.0' }),
    'src/main.js': PLUGIN,
    'vite.config.ts': VITE,
    'tests/workbench/entry.ts': ENTRY,
    'build.mjs': BUILD,
  });
});

function build(): Promise<{ stdout: string; stderr: string }> {
  return run(process.execPath, ['build.mjs'], { cwd: project });
}

test('two builds at once produce a plugin and a headless program that run together, without any output', async () => {
  const builds = await Promise.all([build(), build()]);
  expect(builds.map(({ stdout }) => stdout)).toEqual(['', '']);
  expect(readdirSync(path.join(project, 'dist')).sort()).toEqual(['main.js', 'manifest.json']);
  expect(readdirSync(path.join(project, '.build')).sort()).toEqual([
    'headless.mjs',
    'headless.stamp',
    'plugin.stamp',
  ]);

  const vault = temporaryFolder('vault');
  const program = path.join(project, '.build/headless.mjs');
  const { stdout } = await run(process.execPath, [program, vault, path.join(project, 'dist')]);
  expect(JSON.parse(stdout)).toEqual({ path: 'Made.md', errors: [] });
  expect(readFileSync(path.join(vault, 'Made.md'), 'utf8')).toBe('by the plugin');
});

test('a headless host that is killed during a write leaves a truncated note, as Obsidian does', async () => {
  const vault = temporaryFolder('vault');
  const text = 'x'.repeat(1000);
  const child = spawn(
    process.execPath,
    [path.join(project, '.build/headless.mjs'), vault, path.join(project, 'dist')],
    { env: { ...process.env, WRITE: text, WORKBENCH_WRITE_IN_PIECES: '10:5' }, stdio: 'inherit' },
  );
  const note = path.join(vault, 'Made.md');
  const read = () => (existsSync(note) ? readFileSync(note, 'utf8') : '');
  await expect.poll(read, { interval: 5 }).toMatch(/^x+$/);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(read().length).toBeLessThan(text.length);
  expect(text.startsWith(read())).toBe(true);
});

test('the build rebuilds the plugin only when its sources change', async () => {
  const main = path.join(project, 'dist/main.js');
  await build();
  const { ino } = statSync(main);
  await build();
  expect(statSync(main).ino).toBe(ino);
  writeFileSync(path.join(project, 'src/main.js'), `${PLUGIN}\nexport const added = 'ADDED';`);
  await build();
  expect(readFileSync(main, 'utf8')).toContain('ADDED');
});
