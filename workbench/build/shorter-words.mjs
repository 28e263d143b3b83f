import { parseAst } from 'vite';
import { replaced } from './replaced.mjs';

/** @typedef {import('./replaced.mjs').Cut} Cut */
/** @typedef {import('./replaced.mjs').Node} Node */

/** Of the language itself, so that they are the same in every window and at every time. */
const GLOBALS = new Set([
  ...['Array', 'Error', 'Intl', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Promise', 'RegExp'],
  ...['Set', 'String', 'Symbol', 'TypeError', 'WeakMap', 'WeakSet', 'undefined'],
]);

/** Those of their functions that do the same wherever they are called from. */
const FUNCTIONS = [
  ...[
    'Array.isArray',
    'JSON.parse',
    'JSON.stringify',
    'String.fromCharCode',
    'String.fromCodePoint',
  ],
  ...['Math.abs', 'Math.ceil', 'Math.floor', 'Math.log', 'Math.max', 'Math.min', 'Math.round'],
  ...['Number.isFinite', 'Number.isInteger', 'Number.isNaN', 'Number.parseInt'],
  ...['Object.assign', 'Object.defineProperty', 'Object.entries', 'Object.fromEntries'],
  ...['Object.getOwnPropertyDescriptor', 'Object.getPrototypeOf', 'Object.hasOwn'],
  ...['Object.keys', 'Object.values'],
];

/** From how often on a name for one of them is shorter, whatever what it is of is called. */
const OFTEN = 5;

/**
 * In code that is minified already, and is one function's: gives short names to what the language calls by long ones,
 * where that is shorter in all.
 *
 * @param {string} code
 */
export function shorterWords(code) {
  /** @type {Map<string, Node[]>} */
  const places = new Map();
  const used = new Set();
  const often = new Set(FUNCTIONS.filter((each) => code.split(each).length > OFTEN));
  /** @param {Node} node @param {boolean} isName it names a member or a key, not a value */
  const visit = (node, isName) => {
    if (node.type === 'Identifier') used.add(node['name']);
    const word = isName ? null : wordOf(node, often);
    if (word !== null) {
      places.set(word, [...(places.get(word) ?? []), node]);
      return;
    }
    for (const [field, value] of Object.entries(node)) {
      const isShort = node['shorthand'] === true && field === 'value';
      const names = isShort || (['property', 'key'].includes(field) && !node['computed']);
      // What is asked for by `typeof` may not be there.
      const isAsked = node.type === 'UnaryExpression' && node['operator'] === 'typeof';
      for (const each of [value].flat()) {
        if (typeof each?.type === 'string') visit(each, names || isAsked);
      }
    }
  };
  visit(/** @type {any} */ (parseAst(code)), false);
  const names = freeNames(used);
  /** @type {Cut[]} */
  const cuts = [];
  const given = [];
  for (const [word, nodes] of places) {
    const name = names.next().value ?? word;
    const saved = nodes.length * (word.length - name.length);
    if (saved <= `${name}=${word},`.length) continue;
    given.push(`${name}=${word}`);
    cuts.push(...nodes.map(({ start, end }) => /** @type {Cut} */ ([start, end, name])));
  }
  return given.length === 0 ? code : `const ${given.join()};${replaced(code, cuts)}`;
}

/** @param {Node} node @param {Set<string>} often what is worth a name of the functions */
function wordOf({ type, name, object, property, computed, operator, argument }, often) {
  if (type === 'MemberExpression' && !computed && object.type === 'Identifier') {
    const word = `${object.name}.${property.name}`;
    return often.has(word) ? word : null;
  }
  if (type === 'Identifier' && GLOBALS.has(name)) return name;
  const isVoid = type === 'UnaryExpression' && operator === 'void';
  return isVoid && argument.raw === '0' ? 'void 0' : null;
}

/** Of two letters. @param {Set<string>} used */
function* freeNames(used) {
  for (const first of '$_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
    for (const second of '0123456789$_') if (!used.has(first + second)) yield first + second;
}
