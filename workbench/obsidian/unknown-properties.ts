const LIST = Symbol.for('workbench.unknownProperties');

/**
 * Every property that was read from a stand-in and is not there, as `Class.property`. The app answers
 * undefined; so does the host, and tests expect the set to stay empty. Filled by the code that
 * `build/lenient-mocks.mjs` puts into the mocks, which can share nothing but a global name with us.
 */
export function unknownProperties(): Set<string> {
  const shared = globalThis as { [LIST]?: Set<string> };
  return (shared[LIST] ??= new Set());
}
