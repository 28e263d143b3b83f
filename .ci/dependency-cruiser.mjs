/** Import rules from `layers.json`, plus bans on cycles, orphans and unmapped folders. */
import { guardedPackages, isProductRoom, layers, mayNotImport } from './layers.mjs';

const { rooms } = layers;
const names = Object.keys(rooms);

const escape = (/** @type {string} */ text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

const pathOf = (/** @type {string} */ name) => rooms[name]?.path ?? '';

const inRoom = (/** @type {string} */ name) =>
  `^${escape(pathOf(name))}${pathOf(name).endsWith('.ts') ? '$' : '/'}`;

/** Layers nested inside a layer. */
const within = (/** @type {string} */ name) =>
  names.filter((each) => pathOf(each).startsWith(`${pathOf(name)}/`));

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const walls = names
  .filter((name) => mayNotImport(name).length > 0)
  .map((name) => ({
    name: `${name}-sees-only-its-own`,
    comment: `${pathOf(name)} may import: ${[rooms[name]?.may].flat().join(', ') || 'nothing of ours'}.`,
    severity: 'error',
    from: { path: inRoom(name), pathNot: within(name).map(inRoom) },
    to: { path: mayNotImport(name).map(inRoom) },
  }));

const product = names.filter(isProductRoom);

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const packages = [...guardedPackages()].map(([name, owners]) => ({
  name: `package-${name.replace(/\W+/g, '-')}-has-its-rooms`,
  comment: `Only ${owners.join(', ')} (and main) may import ${name}.`,
  severity: 'error',
  from: { path: product.filter((room) => !owners.includes(room)).map(inRoom) },
  to: { path: `^(node_modules/)?${escape(name)}(/|$)` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...walls,
    ...packages,
    {
      name: 'no-circles',
      severity: 'error',
      from: { path: '^(src|stores|components|workbench)/' },
      // Type-only imports are erased at build time, so cycles through them do not exist at run
      // time.
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      comment: 'A file that nothing imports is not part of the product.',
      severity: 'error',
      from: {
        orphan: true,
        path: '^(src|stores|components)/',
        pathNot: '^src/main\\.ts$',
      },
      to: {},
    },
    {
      name: 'not-on-the-map',
      comment: 'A new folder gets its place in .ci/layers.json first.',
      severity: 'error',
      from: {},
      to: { path: '^(src|stores|components)/', pathNot: names.map(inRoom) },
    },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: { path: '^(src|stores|components|workbench)/' },
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
