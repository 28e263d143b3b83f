import js from '@eslint/js';
import obsidianmd from 'eslint-plugin-obsidianmd';
import svelte from 'eslint-plugin-svelte';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import ts from 'typescript-eslint';
import { guardedPackages, hasRestrictedPackages, layers, mayNotImport } from './.ci/layers.mjs';

/**
 * `npm test` leaves out the rules that need types, which take three quarters of the time.
 * `npm run lint` and `npm run test:full` have them all.
 */
const IS_TYPED = process.env.PARLEY_LINT !== 'untyped';

const TYPESCRIPT = ['**/*.{ts,mts}', '**/*.svelte'];

/** The import rules of `.ci/layers.json`. */
const importRules = Object.entries(layers).map(([name, layer]) => {
  const files = layer.path.endsWith('.ts') ? [layer.path] : [`${layer.path}/**/*.{ts,svelte}`];
  const ignores = ['**/*.test.ts'];
  const guarded = hasRestrictedPackages(name)
    ? [...guardedPackages()].filter(([, owners]) => !owners.includes(name)).map(([each]) => each)
    : [];
  const patterns = [
    ...mayNotImport(name).map((other) => ({
      regex: `^#${other}/`,
      message: `${name} must not import ${other} (.ci/layers.json).`,
    })),
    ...guarded.map((each) => ({
      regex: `^${each}(/|$)`,
      message: `${name} must not import ${each} (.ci/layers.json).`,
    })),
  ];
  return {
    files,
    ignores,
    rules: {
      '@typescript-eslint/no-restricted-imports':
        patterns.length > 0 ? ['error', { patterns }] : 'off',
    },
  };
});

/** Obsidian's rules apply to code that runs inside it. The workbench and the tests run in Node. */
const forPlugins = obsidianmd.configs.recommended
  .flatMap(({ rules = {} }) => Object.keys(rules))
  .filter((rule) =>
    /^(obsidianmd|@microsoft\/sdl|depend|import|no-unsanitized|noUnsanitizedPlugin)\//.test(rule),
  );
const outsideObsidian = Object.fromEntries(
  [...forPlugins, 'no-restricted-globals', 'no-console', 'no-restricted-imports'].map((rule) => [
    rule,
    'off',
  ]),
);

/** Obsidian's rules that need types. */
const withoutTypes = Object.fromEntries(
  [
    'no-plugin-as-component',
    'no-unsupported-api',
    'no-view-references-in-plugin',
    'prefer-create-el',
    'prefer-file-manager-trash-file',
    'prefer-instanceof',
  ].map((rule) => [`obsidianmd/${rule}`, 'off']),
);

export default defineConfig([
  {
    ignores: [
      'node_modules/',
      'dist/',
      '.build/',
      '.svelte-check/',
      'coverage/',
      'tests/workbench/vault/',
    ],
  },
  js.configs.recommended,
  ...obsidianmd.configs.recommended,
  ...svelte.configs.recommended.map((config) => ({
    files: ['**/*.svelte', '**/*.svelte.ts'],
    ...config,
  })),
  {
    files: TYPESCRIPT,
    languageOptions: {
      parserOptions: {
        projectService: IS_TYPED,
        extraFileExtensions: ['.svelte'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
  },
  // Obsidian's configuration enables this rule only for TypeScript files.
  {
    files: ['**/*.svelte'],
    plugins: { '@typescript-eslint': ts.plugin },
    rules: { 'no-unused-vars': 'off', '@typescript-eslint/no-unused-vars': 'error' },
  },
  // Stores keep events and saved data in plain maps on purpose; only the state they expose is reactive.
  {
    files: ['stores/**', 'components/**'],
    rules: { 'svelte/prefer-svelte-reactivity': 'off', 'obsidianmd/prefer-create-el': 'off' },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    // The project's Svelte configuration contains a function, which ESLint's cache cannot store.
    languageOptions: {
      parserOptions: { parser: ts.parser, svelteConfig: { compilerOptions: { runes: true } } },
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}', '*.config.ts', 'tests/**'],
    languageOptions: { globals: globals.node },
    rules: outsideObsidian,
  },
  // TypeScript checks undefined names itself.
  { files: TYPESCRIPT, rules: { 'no-undef': 'off' } },
  {
    files: TYPESCRIPT,
    // Ports are objects of functions that do not use `this`, so destructuring them is safe.
    rules: { '@typescript-eslint/unbound-method': 'off' },
  },
  // The SDK recommends its high-level class, which does not accept the tools' JSON Schemas.
  {
    files: ['src/mcp/server/session.ts'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
  // The workbench evaluates plugins as Obsidian does.
  { files: ['tests/workbench/plugin-loader.ts'], rules: { 'no-eval': 'off' } },
  {
    files: ['tests/**'],
    // Requests of unknown type are printed as text.
    rules: { '@typescript-eslint/no-base-to-string': 'off' },
  },
  {
    // A result's text is written for the model. The user reads `resultText(result)`.
    files: ['components/**', 'stores/**', 'src/app/conversation-export.ts', 'src/voice/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[property.name='text'][object.property.name='result']",
          message: 'This text is for the model; show resultText(result) instead.',
        },
        {
          selector: "MemberExpression[property.name='text'][object.name='result']",
          message: 'This text is for the model; show resultText(result) instead.',
        },
      ],
    },
  },
  ...importRules,
  ...(IS_TYPED ? [] : [ts.configs.disableTypeChecked, { rules: withoutTypes }]),
]);
