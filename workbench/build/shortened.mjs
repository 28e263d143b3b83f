import { parseAst } from 'vite';
import { replaced } from './replaced.mjs';

/**
 * What of a module is not reached: `members` of its classes and objects, which are never called; and other branches than those that
 * `answers` lead to, each of them what an expression gives wherever it is read.
 *
 * @typedef {{ members: string[], answers: Record<string, string> }} Unreached
 * @typedef {import('./replaced.mjs').Node} Node
 */

/** Of a class or an object. @param {Node} node */
function isMethod({ type, value }) {
  return (
    type === 'MethodDefinition' || (type === 'Property' && value.type === 'FunctionExpression')
  );
}

/** What makes a class of a function, where there are no classes. @param {Node} expression */
function isPrototype({ type, left }) {
  return type === 'AssignmentExpression' && left.property?.name === 'prototype' && !left.computed;
}

/** A function that an object is given as its member. @param {Node} node */
function isGiven({ type, left, right }) {
  return (
    type === 'AssignmentExpression' &&
    left.type === 'MemberExpression' &&
    right.type === 'FunctionExpression'
  );
}

/** What is written is not read, and neither is what a member is called. @param {Node} node @param {string} field */
function isName({ type, computed }, field) {
  if (type === 'AssignmentExpression') return field === 'left';
  if (type === 'VariableDeclarator') return field === 'id';
  return !computed && ['property', 'key'].includes(field);
}

/** Values that are not made unless they are used. */
const MADE = new Set([
  'CallExpression',
  'ConditionalExpression',
  'MemberExpression',
  'NewExpression',
  'ObjectExpression',
]);

/**
 * A module without what is not reached in it. Statements that stand by themselves only hang its parts on one more
 * object; they go, too, so that a bundler sees which of them are used.
 *
 * @param {string} source
 * @param {Unreached} unreached
 */
export function shortened(source, { members, answers }) {
  /** @type {import('./replaced.mjs').Cut[]} */
  const cuts = [];
  const missing = new Set([...members, ...Object.keys(answers)]);
  /** @param {Node} node */
  const textOf = ({ start, end }) => source.slice(start, end);

  /** @param {Node} node */
  const visit = (node) => {
    const text = textOf(node);
    if (Object.hasOwn(answers, text)) {
      missing.delete(text);
      cuts.push([node.start, node.end, answers[text] ?? '']);
    } else if (node.type === 'CallExpression' && answers[textOf(node['callee'])] === 'undefined') {
      // Nothing is there to be called, and nothing is made to be handed to it.
      missing.delete(textOf(node['callee']));
      cuts.push([node.start, node.end, 'undefined']);
    } else if (isMethod(node) && members.includes(textOf(node['key']))) {
      missing.delete(textOf(node['key']));
      const { start, end } = node['value'].body;
      cuts.push([start, end, '{}']);
    } else if (isGiven(node) && members.includes(textOf(node['left'].property))) {
      missing.delete(textOf(node['left'].property));
      const { start, end } = node['right'].body;
      cuts.push([start, end, '{}']);
    } else {
      for (const [name, field] of Object.entries(node)) {
        if (isName(node, name)) continue;
        for (const each of [field].flat()) if (typeof each?.type === 'string') visit(each);
      }
    }
  };
  for (const statement of /** @type {Node[]} */ (parseAst(source).body)) {
    if (statement.type === 'ExpressionStatement' && !isPrototype(statement['expression'])) {
      cuts.push([statement.start, statement.end, '']);
      continue;
    }
    visit(statement);
    for (const { init } of (statement['declaration'] ?? statement).declarations ?? []) {
      if (!MADE.has(init?.type)) continue;
      cuts.push([init.start, init.start, '/* @__PURE__ */ (() => ('], [init.end, init.end, '))()']);
    }
  }
  if (missing.size > 0)
    throw new Error(`Left out, but no longer there: ${[...missing].join(', ')}`);
  return replaced(source, cuts);
}
