import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { violationsOf, type Release } from '../../.ci/release-policy.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
const source = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

const MAIN = `"use strict";
const { Plugin } = require('obsidian');
const fs = require('fs');
const words = ${JSON.stringify(Array.from({ length: 80 }, (_, at) => `word ${at}`))};
exports.default = class extends Plugin {
  async onload() {
    const response = await fetch('https://api.anthropic.com/v1/models');
    console.assert(words.includes(await response.text()) || fs instanceof Function);
  }
};`;

/** The files of the repository, with a small program. */
const GOOD: Release = {
  main: MAIN,
  manifest: source('manifest.json'),
  styles: '.parley { color: var(--text-normal); }',
  notes: source('REVIEWER_NOTES.md'),
  readme: source('README.md'),
  changelog: source('CHANGELOG.md'),
  license: source('LICENSE'),
  package: source('package.json'),
  lock: source('package-lock.json'),
  versions: source('versions.json'),
};
const { version } = JSON.parse(GOOD.manifest) as { version: string };

function manifestWith(fields: object): Partial<Release> {
  return { manifest: JSON.stringify({ ...(JSON.parse(GOOD.manifest) as object), ...fields }) };
}

function mainWith(code: string): Partial<Release> {
  return { main: `${MAIN}\n${code}` };
}

const table = `const t = ${JSON.stringify(Array.from({ length: 80 }, (_, at) => `text ${at}`))};
console.assert(${Array.from({ length: 80 }, (_, at) => `t[${at}]`).join(' + ')});`;

test('a release that follows the rules has no violations', () => {
  expect(violationsOf(GOOD)).toEqual([]);
  const changelog = `# Changelog\n\n## ${version} (2026-12-01)\n`;
  expect(violationsOf({ ...GOOD, changelog, tag: version })).toEqual([]);
});

test('the styles of the components follow the rules', () => {
  const components = readdirSync(path.join(ROOT, 'components'), { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.svelte'))
    .map((file) => source(path.join('components', file)));
  const inComponents = components.flatMap((code) => code.match(/<style>[^]*<\/style>/g) ?? []);
  expect(inComponents.length).toBeGreaterThan(50);
  const styles = [source('styles.css'), ...inComponents].join('\n');
  expect(violationsOf({ ...GOOD, styles })).toEqual([]);
});

test.each<[string, string, Partial<Release>]>([
  ['a tag of another version', 'version', { tag: '9.9.9' }],
  ['a manifest of another version', 'version', manifestWith({ version: '9.9.9' })],
  ['a version without a minimum version of the app', 'version', { versions: '{}' }],
  ['a version without a section in the changelog', 'version', { changelog: '# Changelog' }],
  [
    'a tag of a version that the changelog calls unpublished',
    'version',
    { tag: version, changelog: `## ${version} (unpublished)` },
  ],
  ['a broken manifest', 'manifest', { manifest: '{' }],
  ['"Obsidian" in the description', 'manifest', manifestWith({ description: 'For Obsidian.' })],
  ['a name that ends with "Plugin"', 'manifest', manifestWith({ name: 'Parley Plugin' })],
  ['an id with a digit', 'manifest', manifestWith({ id: 'parley2' })],
  ['a long description', 'manifest', manifestWith({ description: `${'a'.repeat(260)}.` })],
  ['a version that is no version', 'manifest', manifestWith({ version: 'v1' })],
  ['a plugin with Node on mobile', 'manifest', manifestWith({ isDesktopOnly: false })],
  ['eval', 'code from text', mainWith('eval(words[0])')],
  [
    'a function made from text',
    'code from text',
    {
      ...mainWith('new Function("return 1")()'),
      notes: GOOD.notes.replaceAll('`Function`', ''),
    },
  ],
  [
    'a worker',
    'code from text',
    { ...mainWith('new Worker(words[0])'), notes: GOOD.notes.replaceAll('`Worker`', '') },
  ],
  ['a text as a timer', 'code from text', mainWith('setTimeout("run()", 1)')],
  ['a table of texts', 'obfuscation', mainWith(table)],
  ['names of an obfuscator', 'obfuscation', mainWith('const _0x1a2b3c = 1;')],
  ['a program in a text', 'obfuscation', mainWith(`const p = "${'QUJD'.repeat(2000)}";`)],
  ['a module from the network', 'remote code', mainWith('import("https://a.example/x.js")')],
  ['a module of any name', 'remote code', mainWith('import(words[0])')],
  ['a script element', 'remote code', mainWith('document.createElement("script")')],
  ['an update of itself', 'self-update', mainWith('fs.writeFileSync(`${words[0]}/main.js`, "")')],
  ['an installation of packages', 'self-update', mainWith('run("npm install left-pad")')],
  ['a development build', 'development', mainWith('add("Ask Obsidian the contract questions")')],
  ['telemetry', 'telemetry', mainWith('send("https://eu.i.posthog.com/e")')],
  ['a host that is not explained', 'network', mainWith('fetch("https://other.test/x")')],
  ['a module that is not explained', 'modules', mainWith('require("node:vm")')],
  ['Brotli at run time', 'decompression', mainWith('zlib.brotliDecompressSync(data)')],
  ['a source map', 'source map', mainWith('//# sourceMappingURL=main.js.map')],
  ['a huge program', 'size', mainWith(`/*${'x '.repeat(2_600_000)}*/`)],
  ['HTML from text', 'HTML', mainWith('element.insertAdjacentHTML("beforeend", text)')],
  ['a remote style sheet', 'styles', { styles: '@import "https://a.example/a.css";' }],
  ['a remote picture', 'styles', { styles: 'a { background: url(//a.example/a.png) }' }],
  ['clip-path', 'styles', { styles: 'a { clip-path: inset(50%) }' }],
  ['a style that themes cannot override', 'styles', { styles: 'a { color: red !important }' }],
  ['a style that slows the app down', 'styles', { styles: 'a:has(b) { color: red }' }],
  ['no license', 'disclosure', { license: '' }],
  [
    'a README that does not name the kind of payment',
    'disclosure',
    { readme: GOOD.readme.replace(/optional payment/i, 'Free') },
  ],
  ['a README that does not say what is sent', 'disclosure', { readme: '# Parley' }],
])('a release with %s breaks a rule of %s', (_what, rule, spoiled) => {
  const found = violationsOf({ ...GOOD, ...spoiled });
  expect(found.map((each) => each.rule)).toContain(rule);
});
