/** Strings under shorter names mean the same. */
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { shorterStrings } from '../../workbench/build/shorter-strings.mjs';

/** What the code leaves in `told`. */
function told(code: string): unknown {
  return JSON.parse(runInNewContext(`const told=[];${code};JSON.stringify(told)`) as string);
}

/** How often this text is still written out. */
function count(code: string, text: string): number {
  return code.split(text).length - 1;
}

/** Each with what it tells, and how often "conversation" is still written. */
const CASES: [string, string, unknown[], number][] = [
  [
    'values, wherever they stand',
    'function f(e){switch(e){case"conversation":return"conversation";default:return["conversation",`${"conversation"}s`]}}told.push(f("conversation"),f(0))',
    ['conversation', ['conversation', 'conversations']],
    1,
  ],
  [
    'beside words, where a quote needs no space',
    'const o={conversation:1};told.push("conversation"in o,typeof"conversation",[..."conversation"].length)',
    [true, 'string', 12],
    2,
  ],
  [
    'names of members stay, but for those that are computed',
    'const o={"conversation":1,["conversation"+1]:2};told.push(o["conversation"],o["conversation1"],"conversation","conversation")',
    [1, 2, 'conversation', 'conversation'],
    3,
  ],
  [
    'members, which keep their own names',
    'const o={conversation:{conversation:2}};o.conversation.conversation++;delete o.conversation.none;told.push(o.conversation.conversation,o?.conversation?.conversation,Object.keys(o)[0])',
    [3, 3, 'conversation'],
    3,
  ],
  [
    'members and strings under one name, of numbers too, and called on what they are of',
    'Number.prototype.conversation=function(){return this+1};told.push("conversation",1..conversation(),1.5.conversation(),(0,2).conversation(),typeof 3..conversation())',
    ['conversation', 2, 2.5, 3, 'number'],
    1,
  ],
  [
    'members of what is extended stay',
    'class A{conversation(){return 1}}class B extends A{conversation(){return super.conversation()+super.conversation()+super.conversation()}}told.push(new B().conversation())',
    [3],
    6,
  ],
  [
    'quotes of either kind are one string',
    'told.push("conversation",\'conversation\',"conversation")',
    ['conversation', 'conversation', 'conversation'],
    1,
  ],
  [
    'what is not shorter stays',
    'told.push("conversation");told.push("ab","ab")',
    ['conversation', 'ab', 'ab'],
    1,
  ],
  [
    'names that are used, declared or not, stay theirs',
    `const ${[...'abcdefghijklmnopqrstuvwxyz'].map((name) => `${name}=0`).join()};told.push(typeof A,"conversation","conversation",a)`,
    ['undefined', 'conversation', 'conversation', 0],
    1,
  ],
];

describe('Strings that are written often', () => {
  it.each(CASES)('are the same under a name: %s', (_name, code, tells, left) => {
    expect(told(code)).toEqual(tells);
    const shorter = shorterStrings(code);
    expect(told(shorter)).toEqual(tells);
    expect(count(shorter, 'conversation')).toBe(left);
    expect(shorter.length).toBeLessThanOrEqual(code.length);
  });

  it('leave short members to those who are asked most', () => {
    const code = 'for(const e of told)told.length&&told.length&&told.length&&e.length&&e.length';
    expect(shorterStrings(code)).toBe(code);
  });

  it('leave alone how code is to be read, what is required, and what a type is compared with', () => {
    const code =
      '"use strict";const e=require("obsidian"),t=require("obsidian"),o=require("obsidian");f(typeof e=="function",typeof t=="function",typeof o=="function")';
    expect(shorterStrings(code)).toBe(code);
    const named = shorterStrings('"use strict";f("obsidian","obsidian","obsidian")');
    expect(named).toBe('"use strict";var a="obsidian";f(a,a,a)');
  });
});
