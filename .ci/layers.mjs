/** Reads `layers.json` for the two import checkers, ESLint and dependency-cruiser. */
import { readFileSync } from 'node:fs';

/** @typedef {{ path: string, imports: string[] | string, packages?: string[] }} Layer */

/** @type {{ layers: Record<string, Layer> }} */
export const { layers } = JSON.parse(readFileSync(new URL('layers.json', import.meta.url), 'utf8'));

/** Names of all layers that a layer may import from, itself included. */
export function mayImport(/** @type {string} */ name) {
  const { imports } = /** @type {Layer} */ (layers[name]);
  if (Array.isArray(imports)) return [...new Set([name, ...imports])];
  const excluded =
    imports === 'everything' ? [] : imports.replace('everything but ', '').split(' and ');
  return Object.keys(layers).filter((layer) => !excluded.includes(layer));
}

/** Names of the layers that a layer may not import from. */
export function mayNotImport(/** @type {string} */ name) {
  const allowed = mayImport(name);
  return Object.keys(layers).filter((layer) => !allowed.includes(layer));
}

/** Maps each restricted package to the layers that may import it. */
export function guardedPackages() {
  /** @type {Map<string, string[]>} */
  const owners = new Map();
  for (const [name, { packages = [] }] of Object.entries(layers)) {
    for (const each of packages) owners.set(each, [...(owners.get(each) ?? []), name]);
  }
  return owners;
}

/**
 * Whether a layer's package imports are restricted. The workbench, tests and main may import any
 * package.
 */
export function hasRestrictedPackages(/** @type {string} */ name) {
  const layer = layers[name];
  return Array.isArray(layer?.imports) && !layer.path.startsWith('tests/');
}
