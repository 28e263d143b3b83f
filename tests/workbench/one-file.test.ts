/** The build's own steps, on a toy: what is imported when it is used stays unevaluated until then, in one file. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Rolldown } from 'vite';
import { describe, expect, it, test } from 'vitest';
import { leftOut } from '../../workbench/build/left-out.mjs';
import { shortened } from '../../workbench/build/shortened.mjs';
import { oneFile } from '../../workbench/build/one-file.mjs';
import { temporaryFolder, writeFiles } from './host';

const TOY = {
  'main.js': `
    import { count, more, seen } from './shared';
    export const ran = seen;
    export const now = () => count;
    export async function use() { return (await import('./later')).twice(more); }
  `,
  'shared.js': `
    export const seen = ['shared'];
    export let count = 0;
    export function more() { count += 1; return count; }
  `,
  'later.css': '.later { color: red; }',
  'later.js': `
    import './later.css';
    import { count, seen } from './shared';
    seen.push('later');
    export function twice(more) { more(); more(); return count; }
  `,
};

interface Toy {
  readonly ran: readonly string[];
  now(): number;
  use(): Promise<number>;
}

test('one file holds all parts; one that comes later is evaluated once, and sees what has changed', async () => {
  const root = temporaryFolder('parts');
  writeFiles(root, TOY);
  const result = (await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [oneFile()],
    build: {
      write: false,
      lib: {
        entry: 'main.js',
        formats: ['cjs'],
        fileName: () => 'main.js',
        cssFileName: 'styles',
      },
      rolldownOptions: {
        output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } },
      },
    },
  })) as Rolldown.RolldownOutput[];
  const [only, styles, ...others] = result.flatMap(({ output }) => output);
  expect(others).toEqual([]);
  expect(styles && 'source' in styles && styles.source).toContain('.later');
  const file = path.join(root, 'built.cjs');
  writeFileSync(file, only && 'code' in only ? only.code : '');
  const toy = ((await import(file)) as { default: Toy }).default;
  expect(toy.ran).toEqual(['shared']);
  expect(await toy.use()).toBe(2);
  expect(await toy.use()).toBe(4);
  expect(toy.now()).toBe(4);
  expect(toy.ran).toEqual(['shared', 'later']);
});

test('a part that is left out and no longer there fails the build', async () => {
  const root = temporaryFolder('left-out');
  writeFiles(root, { 'main.js': 'export const nothing = 0;' });
  await expect(
    build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [leftOut()],
      build: { write: false, lib: { entry: 'main.js', formats: ['cjs'] } },
    }),
  ).rejects.toThrow('Left out, but no longer there: svelte/src/internal/client/dom/hydration.js');
});

describe('A shortened module', () => {
  const source = [
    'export class Reader {',
    '  strict = false;',
    '  read(text) { return this.strict ? this.judge(text) : text; }',
    '  judge(text) { this.strict = true; return text; }',
    '}',
    'export const reader = new Reader(), names = ["a"];',
    'reader.names = names;',
  ].join('\n');

  it('has none of what is never reached, and all that is', () => {
    const answers = { 'this.strict': 'false' };
    expect(shortened(source, { members: ['judge'], answers }).split('\n')).toEqual([
      'export class Reader {',
      '  strict = false;',
      '  read(text) { return false ? this.judge(text) : text; }',
      '  judge(text) {}',
      '}',
      'export const reader = /* @__PURE__ */ (() => (new Reader()))(), names = ["a"];',
      '',
    ]);
  });

  it('keeps what is written to', () => {
    const answers = { 'this.strict': 'false' };
    expect(shortened(source, { members: [], answers })).toContain('this.strict = true');
  });

  it('keeps names where they stand for no value', () => {
    const told =
      'function read(to) {\n  let strict = to.strict;\n  return { strict: to[strict] };\n}';
    expect(shortened(told, { members: [], answers: { strict: 'false' } })).toBe(
      told.replace('to[strict]', 'to[false]'),
    );
  });

  it('calls nothing that is not there', () => {
    const told = 'function Log() {}\nLog.prototype = { say(it) { this.log(it.text); this.log; } };';
    expect(shortened(told, { members: [], answers: { 'this.log': 'undefined' } })).toBe(
      told.replace('this.log(it.text); this.log;', 'undefined; undefined;'),
    );
  });

  it('has none of the functions an object is given that are never reached', () => {
    const given =
      'function made(it) {\n  it.read = function(text) { return text; };\n  it.at = 1;\n}';
    expect(shortened(given, { members: ['read'], answers: {} })).toBe(
      given.replace('{ return text; }', '{}'),
    );
  });

  it.each([
    ['a member', { members: ['parse'], answers: {} }, 'parse'],
    ['an answer', { members: [], answers: { 'this.pedantic': 'false' } }, 'this.pedantic'],
  ])('is refused where %s is not found', (_words, unreached, name) => {
    expect(() => shortened(source, unreached)).toThrow(`Left out, but no longer there: ${name}`);
  });
});
