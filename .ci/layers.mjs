/** Reads `layers.json` for the two import checkers, ESLint and dependency-cruiser. */
import { readFileSync } from 'node:fs';

/** @typedef {{ path: string, may: string[] | string, packages?: string[] }} Room */

/** @type {{ rooms: Record<string, Room> }} */
export const layers = JSON.parse(readFileSync(new URL('layers.json', import.meta.url), 'utf8'));

/** Names of all layers that a layer may import from, itself included. */
export function mayImport(/** @type {string} */ name) {
  const { may } = /** @type {Room} */ (layers.rooms[name]);
  if (Array.isArray(may)) return [...new Set([name, ...may])];
  const left = may === 'everything' ? [] : may.replace('everything but ', '').split(' and ');
  return Object.keys(layers.rooms).filter((room) => !left.includes(room));
}

/** Names of the layers that a layer may not import from. */
export function mayNotImport(/** @type {string} */ name) {
  const allowed = mayImport(name);
  return Object.keys(layers.rooms).filter((room) => !allowed.includes(room));
}

/** Maps each restricted package to the layers that may import it. */
export function guardedPackages() {
  /** @type {Map<string, string[]>} */
  const owners = new Map();
  for (const [name, { packages = [] }] of Object.entries(layers.rooms)) {
    for (const each of packages) owners.set(each, [...(owners.get(each) ?? []), name]);
  }
  return owners;
}

/**
 * Whether a layer's package imports are restricted. The workbench, tests and main may import any
 * package.
 */
export function isProductRoom(/** @type {string} */ name) {
  const room = layers.rooms[name];
  return Array.isArray(room?.may) && !room.path.startsWith('workbench');
}
