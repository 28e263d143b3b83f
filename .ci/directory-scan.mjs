/**
 * What the automated review of Obsidian's directory finds in a repository: the recommended rules of
 * `eslint-plugin-obsidianmd`, without type information and without this repository's own
 * configuration, in the files that the review reads.
 */
import { ESLint } from 'eslint';
import obsidianmd from 'eslint-plugin-obsidianmd';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import ts from 'typescript-eslint';

/** @typedef {import('./directory-scan.mjs').Finding} Finding */

/** The directory's list of names that it ignores, from its frequently asked questions. */
const IGNORED_FOLDERS = new Set(
  `node_modules dist build pkg test-vault .pnpm-store .obsidian automation test tests __tests__
  testUtils e2e-tests mocks __mocks__ vite scripts docs i18n i18next locale locales translations
  l10n`.split(/\s+/),
);
const IGNORED_FILES = /\.(?:tests?|specs?)\.|\.[cm][jt]s$/;
const READ_FILES = /\.(?:ts|js)$|^package\.json$/;

/** Undefined for a file without types: TypeScript's own type names and Svelte's runes. */
const BLIND_WITHOUT_TYPES = 'no-undef';

const typedRules = Object.keys(obsidianmd.ruleConfigs.recommendedTypeChecked);

/**
 * The files of a repository that the review reads.
 *
 * @param {string} root
 * @returns {string[]}
 */
export function filesOfReview(root) {
  return execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((file) => READ_FILES.test(file) && !IGNORED_FILES.test(path.basename(file)))
    .filter((file) => !file.split('/').some((folder) => IGNORED_FOLDERS.has(folder)));
}

/**
 * @param {string} root
 * @returns {Promise<Finding[]>}
 */
export async function findingsOfReview(root) {
  const eslint = new ESLint({
    cwd: root,
    ignore: false,
    overrideConfigFile: true,
    overrideConfig: [
      ...obsidianmd.configs.recommended,
      {
        files: ['**/*.{ts,js}'],
        languageOptions: { parserOptions: { projectService: false } },
        rules: {
          ...ts.configs.disableTypeChecked.rules,
          ...Object.fromEntries(typedRules.map((rule) => [rule, 'off'])),
        },
      },
    ],
  });
  const results = await eslint.lintFiles(filesOfReview(root));
  return results.flatMap(({ filePath, messages }) =>
    messages.map(({ ruleId, severity, line, message }) => ({
      rule: ruleId ?? 'parser',
      place: `${path.relative(root, filePath)}:${line}`,
      problem: message,
      isBroken: severity === 2 || ruleId !== BLIND_WITHOUT_TYPES,
    })),
  );
}
