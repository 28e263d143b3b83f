import { parseAst } from 'vite';
import { replaced } from './replaced.mjs';

/** @typedef {import('./replaced.mjs').Cut} Cut */
/** @typedef {import('./replaced.mjs').Node} Node */

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/**
 * In code that is minified already: gives `this` a name of one letter wherever that is shorter, as a minifier gives to
 * everything else that is read often. Within a function it never changes.
 *
 * @param {string} code
 */
export function shorterThis(code) {
  /** @type {Cut[]} */
  const cuts = [];
  /** @param {Node} node @param {boolean} extending inside of a class that extends another */
  const visit = (node, extending) => {
    // Before the other's constructor has run there is nothing to be named.
    const isDerived = extending && node['kind'] === 'constructor';
    if (isDerived) return;
    if (isFunction(node)) cuts.push(...named(node));
    const isClass = node.type.startsWith('Class') && 'superClass' in node;
    for (const each of childrenOf(node)) visit(each, isClass ? !!node['superClass'] : extending);
  };
  visit(/** @type {any} */ (parseAst(code)), false);
  return replaced(code, cuts);
}

/** With a `this` of its own. @param {Node} node */
function isFunction({ type }) {
  return type === 'FunctionDeclaration' || type === 'FunctionExpression';
}

/** @param {Node} node @returns {Node[]} */
function childrenOf(node) {
  return Object.values(node)
    .flat()
    .filter((each) => typeof each?.type === 'string');
}

/** @param {Node} node of a function @returns {Cut[]} */
function named({ body, ...node }) {
  /** @type {Node[]} */
  const places = [];
  const used = new Set();
  /** @param {Node} each */
  const names = (each) => {
    if (each.type === 'Identifier') used.add(each['name']);
    childrenOf(each).forEach(names);
  };
  /** @param {Node} each */
  const gather = (each) => {
    if (each.type === 'ThisExpression') places.push(each);
    else if (!isFunction(each) && !each.type.startsWith('Class')) childrenOf(each).forEach(gather);
  };
  gather(body);
  const [first] = body.body;
  const joins = first?.type === 'VariableDeclaration' && first.kind !== 'var';
  const costs = joins ? 'x=this,'.length : 'let x=this;'.length;
  if (places.length * ('this'.length - 1) <= costs) return [];
  [...node['params'], body].forEach(names);
  const name = LETTERS.find((letter) => !used.has(letter));
  if (name === undefined) return [];
  const at = joins ? first.declarations[0].start : body.start + 1;
  // What is taken apart follows its keyword without a space.
  const told = joins ? ` ${name}=this,` : `let ${name}=this;`;
  return [
    [at, at, told],
    ...places.map(({ start, end }) => /** @type {Cut} */ ([start, end, name])),
  ];
}
