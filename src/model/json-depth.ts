/**
 * Bounds the depth of JSON from outside. `JSON.parse` reads any depth, but whatever walks the value
 * afterward, `JSON.stringify` included, overflows the stack at a few thousand levels.
 */

/** Levels of arrays and objects. No tool has an input with more than ten. */
export const MAX_JSON_DEPTH = 100;

export function isNestedTooDeeply(value: unknown, maxDepth = MAX_JSON_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (maxDepth === 0) return true;
  return Object.values(value).some((inner) => isNestedTooDeeply(inner, maxDepth - 1));
}
