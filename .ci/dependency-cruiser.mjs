/** Import rules from `layers.json`, plus bans on cycles, orphans and unmapped folders. */
import { guardedPackages, hasRestrictedPackages, layers, mayNotImport } from './layers.mjs';

const names = Object.keys(layers);

const escape = (/** @type {string} */ text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

const pathOf = (/** @type {string} */ name) => layers[name]?.path ?? '';

const filesOf = (/** @type {string} */ name) =>
  `^${escape(pathOf(name))}${pathOf(name).endsWith('.ts') ? '$' : '/'}`;

/** Layers nested inside a layer. */
const within = (/** @type {string} */ name) =>
  names.filter((each) => pathOf(each).startsWith(`${pathOf(name)}/`));

/** Tests beside the code may import anything. */
const TESTS = '\\.test\\.ts$';

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const importRules = names
  .filter((name) => mayNotImport(name).length > 0)
  .map((name) => {
    const forbidden = mayNotImport(name);
    const allowed = forbidden.flatMap(within).filter((each) => !forbidden.includes(each));
    return {
      name: `${name}-imports-only-its-layers`,
      comment: `${pathOf(name)} may import: ${[layers[name]?.imports].flat().join(', ') || 'nothing of ours'}.`,
      severity: 'error',
      from: { path: filesOf(name), pathNot: [...within(name).map(filesOf), TESTS] },
      to: { path: forbidden.map(filesOf), pathNot: allowed.map(filesOf) },
    };
  });

const product = names.filter(hasRestrictedPackages);

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const packages = [...guardedPackages()].map(([name, owners]) => ({
  name: `package-${name.replace(/\W+/g, '-')}-is-restricted`,
  comment: `Only ${owners.join(', ')} (and main) may import ${name}.`,
  severity: 'error',
  from: { path: product.filter((layer) => !owners.includes(layer)).map(filesOf) },
  to: { path: `^(node_modules/)?${escape(name)}(/|$)` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...importRules,
    ...packages,
    {
      name: 'no-circles',
      severity: 'error',
      from: { path: '^(src|stores|components|tests/workbench)/' },
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A file that nothing imports is not part of the product.',
      severity: 'error',
      from: {
        orphan: true,
        path: '^(src|stores|components)/',
        pathNot: '^src/main\\.ts$|\\.d\\.ts$',
      },
      to: {},
    },
    {
      name: 'no-unmapped-folders',
      comment: 'Add a new folder to .ci/layers.json first.',
      severity: 'error',
      from: {},
      to: { path: '^(src|stores|components)/', pathNot: names.map(filesOf) },
    },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: { path: '^(src|stores|components|tests/workbench)/' },
      to: { couldNotResolve: true, pathNot: '^(obsidian|electron)$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.build)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mts', '.svelte.ts', '.svelte', '.mjs', '.js', '.json'],
      conditionNames: ['import', 'types', 'default'],
      exportsFields: ['exports'],
    },
  },
};
