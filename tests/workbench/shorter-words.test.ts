/** What the language calls by long names means the same under short ones. */
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { shorterWords } from '../../workbench/build/shorter-words.mjs';

/** Each with what it tells, and what is still to be found in it. */
const CASES: [string, string, unknown[], string[]][] = [
  [
    'objects and what is not there',
    'told.push(Object.keys({a:1}),Object.keys({b:1}),Object.keys({c:1}),[void 0,void 0,void 0,void 0].every(e=>e===void 0))',
    [['a'], ['b'], ['c'], true],
    ['=Object', '=void 0'],
  ],
  [
    'members and keys of the same name',
    'const a={Object:1,b:{Object:2}};told.push(a.Object,a.b.Object,a?.Object,typeof Object,Object.keys(a),Object.keys(a.b),Object.keys(a))',
    [1, 2, 1, 'function', ['Object', 'b'], ['Object'], ['Object', 'b']],
    ['Object:1', '.Object', 'typeof Object'],
  ],
  [
    'what is put under its own name',
    'const a={Promise};told.push(a.Promise===Promise,Promise===Promise,typeof Promise.resolve,Promise===a["Promise"])',
    [true, true, 'function', true],
    ['{Promise}'],
  ],
  [
    'a name that is taken',
    'const $0=5;told.push($0,Math.max(1,2),Math.max(2,3),Math.max(3,4),Math.max(4,5))',
    [5, 2, 3, 4, 5],
    ['const $0=5'],
  ],
  [
    'functions that ask for nothing they are called on',
    'const a={Math:{max:()=>0}},max="min";told.push(Math.max(1,2),Math.max(2,3),[3,4].map(e=>Math.max(e,3)),Math.max(4,5),Math.max(5,6),a.Math.max(1),Math[max](6,7),Math["max"](7,8))',
    [2, 3, [3, 4], 5, 6, 0, 6, 8],
    ['=Math.max', 'a.Math.max(1)', 'Math[max]', 'Math["max"]'],
  ],
  [
    'functions that do ask for it',
    'told.push(typeof Promise.resolve(1),typeof Promise.resolve(2),typeof Promise.resolve(3),typeof Promise.resolve(4),typeof Promise.resolve(5))',
    ['object', 'object', 'object', 'object', 'object'],
    ['.resolve(5)'],
  ],
  ['too few of it', 'told.push(Math.max(1,2))', [2], ['Math.max']],
];

function told(code: string): unknown {
  return JSON.parse(
    runInNewContext(`(()=>{const told=[];${code};return JSON.stringify(told)})()`) as string,
  );
}

it.each(CASES)('means the same: %s', (_, code, expected, left) => {
  const short = shorterWords(code);
  expect(told(code)).toEqual(expected);
  expect(told(short)).toEqual(expected);
  for (const words of left) expect(short).toContain(words);
});
