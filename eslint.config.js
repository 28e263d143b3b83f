import js from '@eslint/js';
import obsidianmd from 'eslint-plugin-obsidianmd';
import svelte from 'eslint-plugin-svelte';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import ts from 'typescript-eslint';
import { guardedPackages, isProductRoom, layers, mayNotImport } from './.ci/layers.mjs';

const TYPESCRIPT = ['**/*.{ts,mts}', '**/*.svelte'];

/** The walls of `.ci/layers.json`, shown while one types. */
const walls = Object.entries(layers.rooms).map(([name, room]) => {
  const files = room.path.endsWith('.ts') ? [room.path] : [`${room.path}/**/*.{ts,svelte}`];
  const guarded = isProductRoom(name)
    ? [...guardedPackages()].filter(([, owners]) => !owners.includes(name)).map(([each]) => each)
    : [];
  const patterns = [
    ...mayNotImport(name).map((other) => ({
      regex: `^#${other}/`,
      message: `${name} does not see ${other} (.ci/layers.json).`,
    })),
    ...guarded.map((each) => ({
      regex: `^${each}(/|$)`,
      message: `${each} does not belong into ${name} (.ci/layers.json).`,
    })),
  ];
  return {
    files,
    rules: {
      '@typescript-eslint/no-restricted-imports':
        patterns.length > 0 ? ['error', { patterns }] : 'off',
    },
  };
});

/** Obsidian's rules are for what runs inside it: the workbench and the tests are programs for Node. */
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

export default defineConfig([
  { ignores: ['node_modules/', 'dist/', '.build/', 'coverage/', 'workbench/vault/'] },
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
        projectService: true,
        extraFileExtensions: ['.svelte'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
  },
  // Obsidian's rules bring it for TypeScript files; components need it, too.
  {
    files: ['**/*.svelte'],
    plugins: { '@typescript-eslint': ts.plugin },
    rules: { 'no-unused-vars': 'off', '@typescript-eslint/no-unused-vars': 'error' },
  },
  // Stores hold plain maps beside the one thing that redraws; events and saved forms are never proxied.
  {
    files: ['stores/**', 'components/**'],
    rules: { 'svelte/prefer-svelte-reactivity': 'off', 'obsidianmd/prefer-create-el': 'off' },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    // Not the project's own configuration: it holds a function, which the cache cannot store.
    languageOptions: {
      parserOptions: { parser: ts.parser, svelteConfig: { compilerOptions: { runes: true } } },
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}', '*.config.ts', 'workbench/**', 'tests/**'],
    languageOptions: { globals: globals.node },
    rules: outsideObsidian,
  },
  // TypeScript itself knows which names there are.
  { files: TYPESCRIPT, rules: { 'no-undef': 'off' } },
  {
    files: TYPESCRIPT,
    // Ports and parts are objects of functions without `this`, made to be taken apart where they are handed in.
    rules: { '@typescript-eslint/unbound-method': 'off' },
  },
  // Its classes of characters hold joiners and marks on purpose, each meant by itself.
  {
    files: ['src/tools/editor/edit/fuzzy-match.ts'],
    rules: { 'no-misleading-character-class': 'off' },
  },
  // It knows the usual name besides the vault's own, because Windows has a short name for each.
  {
    files: ['src/policy/paths.ts'],
    rules: { 'obsidianmd/hardcoded-config-path': 'off' },
  },
  // The package steers to its higher class, which wants other schemas than the tools have.
  {
    files: ['src/mcp/server/session.ts'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
  // The app evaluates plugins, and so does its stand-in.
  { files: ['workbench/plugin-loader.ts'], rules: { 'no-eval': 'off' } },
  {
    files: ['workbench/model/**', 'tests/**'],
    // What a client sent is not trusted to be a text, and is shown as one all the same.
    rules: { '@typescript-eslint/no-base-to-string': 'off' },
  },
  {
    // A result's text is written for the model. What a user reads of it is `resultText(result)`.
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
  ...walls,
]);
