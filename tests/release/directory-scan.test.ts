import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { filesOfReview, findingsOfReview } from '../../.ci/directory-scan.mjs';
import { temporaryFolder } from '#tests/builders/temporary-folder';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PLUGIN = 'src/main.ts';

/** A scratch repository with the plugin's main class, to which this member is added. */
function repositoryWith(member: string): string {
  const root = temporaryFolder('directory-scan');
  const main = readFileSync(path.join(ROOT, PLUGIN), 'utf8');
  const onload = '  override onload()';
  expect(main).toContain(onload);
  mkdirSync(path.join(root, 'src'));
  writeFileSync(path.join(root, PLUGIN), main.replace(onload, `${member}\n${onload}`));
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  execFileSync('git', ['add', '--all'], { cwd: root });
  return root;
}

async function brokenIn(root: string): Promise<string[]> {
  const findings = await findingsOfReview(root);
  return findings
    .filter(({ isBroken }) => isBroken)
    .map(({ rule, place }) => `${rule} in ${place}`);
}

test('the review of this repository finds nothing to mend', async () => {
  expect(await brokenIn(ROOT)).toEqual([]);
});

test('the review reads the product, and neither tests, build scripts nor documents', () => {
  const files = filesOfReview(ROOT);
  expect(files).toContain(PLUGIN);
  expect(files).toContain('package.json');
  expect(files.filter((file) => /^(?:tests|docs|\.ci|\.github)\//.test(file))).toEqual([]);
});

test('a repository without a fault passes the review', async () => {
  expect(await brokenIn(repositoryWith(''))).toEqual([]);
});

test.each([
  ['eval', 'no-eval', `run() { eval('1'); }`],
  [
    'HTML from text',
    'no-unsanitized/property',
    'draw(el: Element, text: string) { el.innerHTML = text; }',
  ],
  ['logging', 'obsidianmd/rule-custom-message', `log() { console.log('loaded'); }`],
  [
    'leaves that it detaches at unload',
    'obsidianmd/detach-leaves',
    'override onunload() { this.app.workspace.detachLeavesOfType(CHAT_VIEW); }',
  ],
  [
    'a fixed name of the configuration folder',
    'obsidianmd/hardcoded-config-path',
    `dir = '.obsidian/plugins';`,
  ],
  [
    'a class of combined characters',
    'no-misleading-character-class',
    String.raw`mark = /[a\uFE0F]/;`,
  ],
  [
    'a rule of the directory switched off',
    'eslint-comments/no-restricted-disable',
    `log() { console.log(1); } // eslint-disable-line obsidianmd/rule-custom-message -- needed`,
  ],
])('a repository with %s fails the review by %s', async (_fault, rule, member) => {
  const broken = await brokenIn(repositoryWith(member));
  expect(broken.filter((each) => each.startsWith(`${rule} in ${PLUGIN}:`))).not.toEqual([]);
});
