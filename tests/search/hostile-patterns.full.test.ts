/** Patterns that try more ways to match than any engine can, each over a line that makes it try them. */
import { describe, expect, it } from 'vitest';
import { systemClock } from '#obsidian/platform/system-clock';
import { EngineHost } from '#search/engine-host';
import { compilePattern } from '#search/pattern';
import { workerEngine } from '#tests/builders/search-engines';
import { NODE } from '#tests/builders/node-modules';

/** One letter each. */
const SCRIPTS: Readonly<Record<string, string>> = {
  Latin: 'a',
  Greek: 'λ',
  Cyrillic: 'д',
  Armenian: 'բ',
  Hebrew: 'ש',
  Arabic: 'س',
  Devanagari: 'क',
  Bengali: 'অ',
  Tamil: 'த',
  Thai: 'ก',
  Georgian: 'ა',
  Hangul: '한',
  Ethiopic: 'ሀ',
  Khmer: 'ក',
  Mongolian: 'ᠠ',
  Hiragana: 'あ',
  Han: '字',
};

const OF_SCRIPTS = Object.entries(SCRIPTS).flatMap(([script, letter]): [string, string][] => [
  [`(\\p{Script=${script}}|\\p{L})*!`, letter],
  [`(\\p{Script=${script}}+)+!`, letter],
  [`(${letter}|[^!?])+!`, letter],
]);

const OF_FORMS: readonly [string, string][] = [
  ['(a+)+b', 'a'],
  ['(a+)+$', 'a'],
  ['(a*)*b', 'a'],
  ['(a|a)*b', 'a'],
  ['(a|aa)+$', 'a'],
  ['(a|a?)+b', 'a'],
  ['(a?b?)*c', 'ab'],
  ['(.*a){25}b', 'a'],
  ['(.*)*x', 'a'],
  ['(.|\\s)*x', ' '],
  ['(\\w|\\d)*x', '1'],
  ['([a-zA-Z]+)*1', 'a'],
  ['(x+x+)+y', 'x'],
  ['((a+)b?)+c', 'a'],
  ['(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
  ['^(\\w+\\s?)*$', 'a'],
  ['(\\s*\\w+\\s*)*:', 'a '],
  ['(\\d+)*\\.(\\d+)*x', '1'],
  ['^([a-z0-9]+(-)?)+$', 'a'],
  ['([\\w-]+\\.?)+@', 'a'],
  ['(\\w{1,20}){1,20}!', 'a'],
  ['(?:a{0,20}){0,20}b', 'a'],
  ['(a|b|ab)*c', 'ab'],
  ['(?:(?:a|b)|b)+c', 'b'],
  ['((x?|y?)a)*b', 'a'],
  ['a*a*a*a*a*a*a*a*a*a*b', 'a'],
  ['\\s*\\s*\\s*\\s*\\s*\\s*\\s*\\s*x', ' '],
];

const OF_REFERENCES: readonly [string, string][] = [
  ['(a+)\\1*(a+)\\2*(a+)\\3*b', 'a'],
  ['((a+)\\2?)+b', 'a'],
  ['(?:(ab)+\\1?)+!', 'ab'],
  ['(?<word>a+)(?:\\k<word>|a)*b', 'a'],
  ['(?<=(a+)+b)c', 'a'],
  ['(?<!(a|aa)+x)!!', 'a'],
  ['(?=(a+)+b)a', 'a'],
  ['(?!(a|a)*b)x', 'a'],
  ['(?<=^(a|aa)+)!', 'a'],
];

const BY_CASE: readonly [string, string][] = [
  ['(k|\\u212a)+x', 'k'],
  ['(K|k|\\u212a)*x', 'K'],
  ['(s|ſ)+!', 's'],
  ['(S|[ſ])+!', 'ſ'],
  ['(ß|ẞ)+!', 'ß'],
  ['(σ|ς)+!', 'Σ'],
  ['(å|\\u212b)+!', 'Å'],
  ['(µ|μ)+!', 'µ'],
  ['(é|É)+!', 'é'],
  ['(я|Я)*!', 'Я'],
  ['(ǆ|ǅ|Ǆ)+!', 'ǆ'],
  ['(Ω|\\u2126)+!', 'ω'],
  ['([a-z]|[A-Z])+!', 'a'],
];

const CLOCK = systemClock(NODE);
/** Its timers run ten times as fast, so that a hundred searches are ended sooner. */
const FAST_CLOCK = {
  ...CLOCK,
  after: (milliseconds: number, act: () => void) => CLOCK.after(milliseconds / 10, act),
};

/** Without these, a text could be skipped unseen. */
const LITERALS = 'b c x y 1 ! : @ . $';

const ALL = [...OF_SCRIPTS, ...OF_FORMS, ...OF_REFERENCES, ...BY_CASE];

describe('a hostile pattern', () => {
  it('there are a hundred hostile patterns, and all of them are valid', () => {
    expect(ALL.length).toBeGreaterThanOrEqual(100);
    expect(ALL.filter(([written]) => !compilePattern(written).ok)).toEqual([]);
  });

  it.each(ALL)('a search for %s ends with a true answer or as too slow', async (written, unit) => {
    const host = new EngineHost(workerEngine(), FAST_CLOCK);
    try {
      host.putText(
        host.engine,
        1,
        'a.md',
        `${LITERALS}\n${unit.repeat(5_000)}?\n${unit.repeat(30)}?`,
      );
      const among = Uint32Array.of(1);
      const scope = { among, excludedTag: '', contextLines: 0, maxExcerpts: 9 };
      const { signal } = new AbortController();
      let turns = 0;
      const count = () => {
        turns += 1;
        counting = setImmediate(count);
      };
      let counting = setImmediate(count);
      const answer = await host.search(host.engine, 'grep', { ...scope, written }, signal);
      clearImmediate(counting);
      expect(turns).toBeGreaterThan(0);
      if (!answer.ok) expect(answer.kind).toBe('too-slow');
      else expect(answer.result.searched).toBe(1);
    } finally {
      host.close();
    }
  });
});
