/** Import directions by `layers.json`, and no circles, orphans or folders that are not on the map. */
const { readFileSync } = require('node:fs');
const path = require('node:path');

const { rooms } = JSON.parse(readFileSync(path.join(__dirname, 'layers.json'), 'utf8'));
const names = Object.keys(rooms);
const escape = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const inRoom = (name) =>
  `^${escape(rooms[name].path)}${rooms[name].path.endsWith('.ts') ? '$' : '/'}`;

/** Rooms of their own inside of a room. */
const within = (name) =>
  names.filter((each) => rooms[each].path.startsWith(`${rooms[name].path}/`));

const mayNot = (name) => {
  const { may } = rooms[name];
  if (Array.isArray(may)) return names.filter((other) => other !== name && !may.includes(other));
  return may === 'everything' ? [] : may.replace('everything but ', '').split(' and ');
};

const walls = names
  .filter((name) => mayNot(name).length > 0)
  .map((name) => ({
    name: `${name}-sees-only-its-own`,
    comment: `${rooms[name].path} may import: ${[].concat(rooms[name].may).join(', ') || 'nothing of ours'}.`,
    severity: 'error',
    from: { path: inRoom(name), pathNot: within(name).map(inRoom) },
    to: { path: mayNot(name).map(inRoom) },
  }));

const owners = new Map();
for (const [name, { packages = [] }] of Object.entries(rooms)) {
  for (const each of packages) owners.set(each, [...(owners.get(each) ?? []), name]);
}
const product = names.filter(
  (name) => Array.isArray(rooms[name].may) && !rooms[name].path.startsWith('workbench'),
);
const packages = [...owners].map(([name, allowed]) => ({
  name: `package-${name.replace(/\W+/g, '-')}-has-its-rooms`,
  comment: `Only ${allowed.join(', ')} (and main) may import ${name}.`,
  severity: 'error',
  from: { path: product.filter((room) => !allowed.includes(room)).map(inRoom) },
  to: { path: `^(node_modules/)?${escape(name)}(/|$)` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...walls,
    ...packages,
    {
      name: 'no-circles',
      severity: 'error',
      from: { path: '^(src|stores|components|workbench)/' },
      // What a bundle build checks with each other's types only is no circle when it runs.
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
