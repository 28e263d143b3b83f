import { parseAst } from 'vite';
import { replaced } from './replaced.mjs';

/** @typedef {import('./replaced.mjs').Cut} Cut */
/** @typedef {import('./replaced.mjs').Node} Node */

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const WORD = /[\w$]/;

/**
 * Members with shorter names are asked for as they are: those are what loops ask for, and a name at its place is the
 * quickest to find.
 */
const LONG_NAME = 9;

/** @typedef {{ start: number, end: number, written: string, instead: (name: string) => string }} Place */

/**
 * In code that is minified already: gives strings that are written often, and names of members, a short name, wherever
 * that is shorter, as a minifier gives to everything else that is used often. A member keeps its own name:
 * `a.textContent` becomes `a[b]`.
 *
 * @param {string} code
 */
export function shorterStrings(code) {
  const program = /** @type {any} */ (parseAst(code));
  /** @type {Set<string>} */
  const used = new Set();
  /** @type {Map<string, Place[]>} */
  const places = new Map();
  /** @param {string} text @param {Place} place */
  const add = (text, place) => places.set(text, [...(places.get(text) ?? []), place]);
  /** @param {Node} node */
  const visit = (node) => {
    if (node.type === 'Identifier') used.add(node['name']);
    if (isLongMember(node)) add(node['property'].name, memberPlace(node));
    for (const each of Object.values(node).flat()) {
      if (typeof each?.type !== 'string') continue;
      if (!isString(each)) visit(each);
      else if (!staysIn(node, each)) add(each.value, stringPlace(code, each));
    }
  };
  visit(program);

  const names = unusedNames(used);
  let name = names.next().value;
  const declared = [];
  /** @type {Cut[]} */
  const cuts = [];
  // The shortest names go to those that gain most.
  const all = [...places].sort(
    ([one, at], [other, there]) => weight(other, there) - weight(one, at),
  );
  for (const [, at] of all) {
    const told = `${name}=${at[0]?.written}`;
    const gains = at.map(({ start, end, instead }) => end - start - instead(name).length);
    if (gains.reduce((sum, gain) => sum + gain) <= `,${told}`.length) continue;
    declared.push(told);
    for (const { start, end, instead } of at) cuts.push([start, end, instead(name)]);
    name = names.next().value;
  }
  if (declared.length === 0) return code;

  const directives = program.body.filter((/** @type {Node} */ each) => each['directive']);
  const start = directives.at(-1)?.end ?? 0;
  return replaced(code, [[start, start, `var ${declared.join()};`], ...cuts]);
}

/** @param {Node} node */
function isLongMember({ type, computed, object, property }) {
  return (
    type === 'MemberExpression' &&
    !computed &&
    object.type !== 'Super' &&
    property.type === 'Identifier' &&
    property.name.length >= LONG_NAME
  );
}

/** Its name and the dot before it; the one that asks whether there is an object stays. @param {Node} node @returns {Place} */
function memberPlace({ property: { start, end, name }, optional }) {
  const from = optional ? start : start - 1;
  return { start: from, end, written: JSON.stringify(name), instead: (short) => `[${short}]` };
}

/** @param {string} code @param {Node} node @returns {Place} */
function stringPlace(code, { start, end }) {
  const written = code.slice(start, end);
  return { start, end, written, instead: (name) => spaced(code, { start, end }, name) };
}

/** @param {string} text @param {Place[]} places */
function weight(text, places) {
  return text.length * places.length;
}

/** @param {Node} node */
function isString({ type, value }) {
  return type === 'Literal' && typeof value === 'string';
}

/** Where only a string may stand, or is read faster. @param {Node} parent @param {Node} node */
function staysIn(parent, node) {
  if (parent.type === 'BinaryExpression') {
    return [parent['left'], parent['right']].some(({ operator }) => operator === 'typeof');
  }
  if (parent.type === 'CallExpression') return parent['callee'].name === 'require';
  if (parent.type === 'ExpressionStatement') return true;
  return /^(Im|Ex)port/.test(parent.type) || (parent['key'] === node && !parent['computed']);
}

/** A name where a string stood, which needed no space beside a word. @param {string} code @param {{ start: number, end: number }} place @param {string} name */
function spaced(code, { start, end }, name) {
  const before = WORD.test(code[start - 1] ?? '') ? ' ' : '';
  return `${before}${name}${WORD.test(code[end] ?? '') ? ' ' : ''}`;
}

/** @param {Set<string>} used @returns {Generator<string, never>} */
function* unusedNames(used) {
  for (let length = 1; ; length += 1) {
    for (const name of namesOf(length)) if (!used.has(name) && !RESERVED.has(name)) yield name;
  }
}

const RESERVED = new Set(['do', 'if', 'in', 'for', 'let', 'new', 'try', 'var']);

/** @param {number} length @returns {Generator<string>} */
function* namesOf(length) {
  if (length === 0) yield '';
  else for (const name of namesOf(length - 1)) for (const letter of LETTERS) yield name + letter;
}
