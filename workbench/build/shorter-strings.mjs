import { parseAst } from 'vite';
import { replaced } from './replaced.mjs';

/** @typedef {import('./replaced.mjs').Cut} Cut */
/** @typedef {import('./replaced.mjs').Node} Node */

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const WORD = /[\w$]/;
const DECLARED = ',="";'.length;

/**
 * In code that is minified already: gives strings that are written often a short name, wherever that is shorter, as a
 * minifier gives to everything else that is used often.
 *
 * @param {string} code
 */
export function shorterStrings(code) {
  const program = /** @type {any} */ (parseAst(code));
  /** @type {Set<string>} */
  const used = new Set();
  /** @type {Map<string, Node[]>} */
  const places = new Map();
  /** @param {Node} node */
  const visit = (node) => {
    if (node.type === 'Identifier') used.add(node['name']);
    for (const each of Object.values(node).flat()) {
      if (typeof each?.type !== 'string') continue;
      if (!isString(each)) visit(each);
      else if (!staysIn(node, each))
        places.set(each.value, [...(places.get(each.value) ?? []), each]);
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
    const written = code.slice(at[0]?.start, at[0]?.end);
    const named = at.reduce((sum, place) => sum + spaced(code, place, name).length, 0);
    const gain = at.length * written.length - named - name.length - written.length - DECLARED;
    if (gain <= 0) continue;
    declared.push(`${name}=${written}`);
    for (const place of at) cuts.push([place.start, place.end, spaced(code, place, name)]);
    name = names.next().value;
  }
  if (declared.length === 0) return code;

  const directives = program.body.filter((/** @type {Node} */ each) => each['directive']);
  const start = directives.at(-1)?.end ?? 0;
  return replaced(code, [[start, start, `var ${declared.join()};`], ...cuts]);
}

/** @param {string} text @param {Node[]} places */
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

/** A name where a string stood, which needed no space beside a word. @param {string} code @param {Node} place @param {string} name */
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
