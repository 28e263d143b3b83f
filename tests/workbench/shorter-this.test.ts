/** `this` under a shorter name means the same. */
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { shorterThis } from '../../workbench/build/shorter-this.mjs';

/** What the code leaves in `told`. */
function told(code: string): unknown {
  return JSON.parse(runInNewContext(`const told=[];${code};JSON.stringify(told)`) as string);
}

/** Each with what it tells, and how often `this` is still written by its own name. */
const CASES: [string, string, unknown[], number][] = [
  [
    'a method that reads it often',
    'class A{#b=1;c(){this.#b++;this.#b++;this.#b++;this.#b++;this.#b++;told.push(this.#b)}}new A().c()',
    [6],
    1,
  ],
  [
    'one that begins with names of its own',
    'const o={v:2,f(){const e=this.v;let a=this.v;told.push(e+a+this.v+this.v+this.v)}};o.f()',
    [10],
    1,
  ],
  [
    'one that begins by taking it apart',
    'const o={v:2,w:{z:3},f(){const{z}=this.w;told.push(z,this.v,this.v,this.v,this.v)}};o.f()',
    [3, 2, 2, 2, 2],
    1,
  ],
  [
    'arrows, which have none of their own, and functions, which have',
    'const o={v:1,f(){return[0,0,0,0,0].map(()=>this.v+this.v).concat((function(){return this.v+this.v+this.v+this.v+this.v}).call({v:3}))}};told.push(...o.f())',
    [2, 2, 2, 2, 2, 15],
    3,
  ],
  [
    'a class inside, with fields',
    'const o={v:1,f(){const K=class{w=5;x=this.w};told.push(this.v,this.v,this.v,this.v,new K().x)}};o.f()',
    [1, 1, 1, 1, 5],
    2,
  ],
  [
    'letters that are taken',
    'const a=7;const o={v:1,f(b,{c}){told.push(this.v+this.v+this.v+this.v,a,b,c,this===o)}};o.f(8,{c:9})',
    [4, 7, 8, 9, true],
    1,
  ],
  [
    'a constructor before the one it extends has run',
    'class A{constructor(){this.n=1}}class B extends A{constructor(){super();this.a=1;this.b=2;this.c=3;this.d=4;told.push(this.n)}e(){told.push(this.a,this.b,this.c,this.d)}}new B().e()',
    [1, 1, 2, 3, 4],
    7,
  ],
  [
    'a default value',
    'const o={v:1,f(x=this.v){told.push(x,this.v,this.v,this.v,this.v)}};o.f()',
    [1, 1, 1, 1, 1],
    2,
  ],
  ['too few of it', 'const o={v:1,f(){told.push(this.v,this.v)}};o.f()', [1, 1], 2],
];

describe('`this` under a shorter name', () => {
  it.each(CASES)('means the same in %s', (_, code, expected, left) => {
    const short = shorterThis(code);
    expect(told(code)).toEqual(expected);
    expect(told(short)).toEqual(expected);
    expect(short.match(/\bthis\b/g)).toHaveLength(left);
  });
});
