/** What a change does to the blocks that it does not touch, judged by commonmark. */
import { type Node, Parser } from 'commonmark';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkChange } from '#text/change-check';
import { splitNote } from '#text/front-matter';
import { diffLists } from '#text/list-diff';
import { cases, CASES_TIMEOUT_MS } from '#tests/cases';
import { pair } from '#tests/model/edit/notes';

interface Block {
  readonly type: string;
  /** Lines from 0; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

/** The blocks of a text that are in no other. */
function blocksOf(text: string): Block[] {
  const { head, body } = splitNote(text);
  const top = head === '' ? 0 : linesOf(head).length - 1;
  const blocks: Block[] = [];
  // For notes, a lone carriage return is no line break.
  const tree = new Parser().parse(body.replace(/^\uFEFF/, '').replace(/\r(?!\n)/g, ' '));
  for (let node: Node | null = tree.firstChild; node; node = node.next) {
    const [[from], [to]] = node.sourcepos;
    blocks.push({ type: node.type, from: top + from - 1, to: top + to });
  }
  return blocks;
}

const linesOf = (text: string) => text.split(/\r?\n/);

/**
 * The line of the written text for each line of the old one that the change leaves. Null if it only
 * removes blank lines somewhere, which joins what is above and below on purpose.
 */
function placesOf(before: string, after: string, text: string): Map<number, number> | null {
  const [old, fresh, written] = [before, after, text].map(linesOf) as [
    string[],
    string[],
    string[],
  ];
  const places = new Map<number, number>();
  const next = (words: string | undefined, from: number) => written.indexOf(words ?? '', from);
  let [line, now, shown] = [0, 0, 0];
  const end = { beforeFrom: old.length, beforeTo: 0, afterFrom: fresh.length, afterTo: 0 };
  for (const { beforeFrom, beforeTo, afterFrom, afterTo } of [...diffLists(old, fresh), end]) {
    for (; now < afterFrom; now += 1, line += 1, shown += 1) {
      shown = next(fresh[now], shown);
      if (fresh[now]?.trim() !== '') places.set(line, shown);
    }
    const removed = old.slice(beforeFrom, beforeTo);
    if (removed.length > 0 && removed.every((each) => /^[ \t>]*$/.test(each))) return null;
    for (; now < afterTo; now += 1, shown += 1) shown = next(fresh[now], shown);
    line = beforeTo;
  }
  return places;
}

test(
  'blocks that a change does not touch are what they were before it',
  () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        // Tools keep the byte order mark where it is, and commonmark shows no definitions.
        fc.pre(before.lastIndexOf('\uFEFF') < 1 && after.lastIndexOf('\uFEFF') < 1);
        fc.pre(before.startsWith('\uFEFF') === after.startsWith('\uFEFF'));
        fc.pre(!/^[ \t>]*\[[^\]]+\]:/m.test(before + after));
        const { text, fault } = checkChange(before, after);
        fc.pre(fault === null && splitNote(before).head === splitNote(text).head);
        expect(text.replace(/^[ \t>]*\r?\n/gm, '')).toBe(after.replace(/^[ \t>]*\r?\n/gm, ''));
        const places = placesOf(before, after, text);
        fc.pre(places !== null);
        const kept = new Set(places.values());
        const now = blocksOf(text);
        for (const block of blocksOf(before)) {
          const lines = Array.from({ length: block.to - block.from }, (_, at) => block.from + at);
          const first = places.get(block.from);
          const words = lines.filter((line) => places.has(line));
          const isSame = words.every(
            (line) => places.get(line) === (first ?? 0) + line - block.from,
          );
          const isWhole = lines.every(
            (line) => places.has(line) || linesOf(before)[line]?.trim() === '',
          );
          if (first === undefined || !isSame || !isWhole) continue;
          const found = now.find(({ from, to }) => from <= first && first < to);
          const isEnclosed = found && !kept.has(found.from) && !kept.has(found.to - 1);
          if (found && isEnclosed && /code|html/.test(found.type)) continue;
          expect({ ...block, is: found?.type }).toEqual({ ...block, is: block.type });
        }
      }),
      cases,
    );
  },
  CASES_TIMEOUT_MS,
);

const LINES = [
  ...['a', 'b', '', '- a', '- ', '  b', '1. a', '2. a', '# a', '#', '> a', '    a', '\ta', '---'],
  ...['===', '|a|', '|-|', '^id', 'a ^id', '[a]: b', '[^1]: a', '- - a', '- # a', '\\'],
];
const longNote = fc
  .array(fc.constantFrom(...LINES), { minLength: 1, maxLength: 30 })
  .map((lines) => lines.join('\n'));
const head = fc.oneof(
  fc.constant(''),
  fc
    .array(fc.constantFrom('a: b', 'a:', '- a', '# a', '', 'c: 1', '---'), { maxLength: 12 })
    .map((lines) => ['---', ...lines, '---', ''].join('\n')),
);
/** It may begin a block that goes on over blank lines, so that the whole note is read. */
const READ_WHOLE = '\n\n# A\n\nSee <b>.\n';

test(
  'a change has the same effect whether the blocks around it or the whole note is read',
  () => {
    const around = fc.tuple(head, head, longNote, longNote, longNote, longNote);
    fc.assert(
      fc.property(around, ([oldHead, freshHead, above, old, fresh, below]) => {
        const [before, after] = [oldHead + above + '\n' + old, freshHead + above + '\n' + fresh];
        const own = checkChange(`${before}\n${below}`, `${after}\n${below}`);
        const ending = `\n${below}${READ_WHOLE}`;
        const whole = checkChange(before + ending, after + ending);
        expect({ ...own, text: own.text + READ_WHOLE }).toEqual(whole);
      }),
      cases,
    );
  },
  CASES_TIMEOUT_MS,
);
