/** Compares search_files with a simple reference: a RegExp over the lines of every note. */
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryBench } from '#tests/builders/tools';
import { cases, CASES_TIMEOUT_MS } from '#tests/cases';

interface Asked {
  readonly pattern: string;
  readonly case_sensitive?: boolean;
  readonly file_pattern?: string;
  readonly multiline?: boolean;
}

interface Totals {
  readonly matches: number;
  readonly files: number;
}

/** By path. */
type Texts = Readonly<Record<string, string>>;

function reference(texts: Texts, asked: Asked, isInFiles: (path: string) => boolean): Totals {
  const spans = asked.multiline === true || asked.pattern.includes('\\n');
  const regExp = new RegExp(asked.pattern, `gmu${asked.case_sensitive ? '' : 'i'}`);
  const totals = { matches: 0, files: 0 };
  for (const [file, text] of Object.entries(texts)) {
    if (!isInFiles(file)) continue;
    const unix = text.replaceAll('\r\n', '\n');
    // The final newline does not start another line.
    const pieces = spans
      ? [unix]
      : unix.split('\n').slice(0, /(?:^|\n)$/.test(unix) ? -1 : undefined);
    const isNoLine = (at: number) => spans && at === unix.length && /(?:^|\n)$/.test(unix);
    const found = pieces.flatMap((piece) =>
      [...piece.matchAll(regExp)].filter(({ index }) => !isNoLine(index)),
    ).length;
    totals.matches += found;
    totals.files += found > 0 ? 1 : 0;
  }
  return totals;
}

function everywhere(): boolean {
  return true;
}

/** The meaning of the few forms of `file_pattern` used here. */
function isIn(filePattern: string | undefined): (path: string) => boolean {
  if (filePattern === undefined) return everywhere;
  if (filePattern.startsWith('*.')) return (each) => each.endsWith(filePattern.slice(1));
  const folder = `${filePattern.replace(/\/?(\*\*)?$/, '')}/`.toLowerCase();
  return (each) => each.toLowerCase().startsWith(folder);
}

const NUMBERS = /([\d,]+) match(?:es)? in ([\d,]+) file/;

function totalsIn(told: string): Totals {
  const [, matches = '0', files = '0'] = NUMBERS.exec(told) ?? [];
  return { matches: Number(matches.replaceAll(',', '')), files: Number(files.replaceAll(',', '')) };
}

/**
 * Checks the totals of a result. If there is no match, checks the totals given for each relaxed
 * rule.
 */
function expectTrue(told: string, texts: Texts, asked: Asked): void {
  const expected = reference(texts, asked, isIn(asked.file_pattern));
  if (!/^No (?:matches|file)|^".*" (?:matches|contains no)/.test(told)) {
    expect({ asked, ...totalsIn(told) }).toEqual({ asked, ...expected });
    expect(expected.matches).toBeGreaterThan(0);
    return;
  }
  expect({ asked, ...expected }).toEqual({ asked, matches: 0, files: 0 });
  const lines = told.split('\n');
  const stated = (rule: string) => {
    return totalsIn(lines.find((line) => line.startsWith(`${rule}: `)) ?? '');
  };
  const anyCase = { ...asked, case_sensitive: false };
  expect(stated('Without case_sensitive')).toEqual(
    asked.case_sensitive
      ? reference(texts, anyCase, isIn(asked.file_pattern))
      : { matches: 0, files: 0 },
  );
  if (asked.file_pattern !== undefined) {
    expect(stated('Without file_pattern')).toEqual(reference(texts, asked, everywhere));
  }
  const names = ['Without ', 'As plain text', 'Across lines', 'Try fewer'];
  expect(names.some((name) => told.includes(name))).toBe(true);
}

const WORDS = ['milk', 'Milk', 'MILK', 'oat', 'Café', 'ÜBER', 'über', '苔', '- [ ] ', ' ', '\n'];
const note = fc
  .array(fc.constantFrom(...WORDS, '\n', '\r\n', '42', '😀', '.'), { maxLength: 12 })
  .map((parts) => parts.join(''));
const name = fc.constantFrom('a.md', 'Lists/b.md', 'Lists/Sub/c.md', 'Journal/d.md', 'data.csv');
const vault = fc.dictionary(name, note, { minKeys: 1, maxKeys: 5 });
const asked: fc.Arbitrary<Asked> = fc.record(
  {
    pattern: fc.constantFrom(
      ...['milk', 'Milk', 'MILK|oat', 'café', 'über', '苔', '^milk', 'milk$', 'oat\\nmilk', '\\d+'],
      ...[
        'milk\\s+oat',
        '- [ ] milk',
        '- \\[ \\] milk',
        'o.t',
        '^$',
        'milk.*milk',
        'zzz',
        '\\n\\n',
      ],
      ...['[^o]at', '(?<!o)at', 'm\\w+k', '\\bmilk\\b', '\\p{Lu}', '.', '😀.', '\\n- ', 'k\\n+m'],
    ),
    case_sensitive: fc.boolean(),
    file_pattern: fc.constantFrom('Lists', 'lists/', 'Lists/**', 'Lists/Sub', '*.md', 'Gone/**'),
    multiline: fc.boolean(),
  },
  { requiredKeys: ['pattern'] },
);

describe('search_files', () => {
  it(
    'search_files gives the same totals as the reference, and zero only if the reference finds nothing',
    async () => {
      const property = fc.asyncProperty(vault, asked, async (texts, wish) => {
        await using bench = memoryBench(texts);
        expectTrue(await bench.expectSuccess('search_files', wish), texts, wish);
      });
      await fc.assert(property, cases);
    },
    CASES_TIMEOUT_MS,
  );

  it('search_files gives the same totals as the reference in the sample vault', async () => {
    const root = path.resolve('tests/workbench/vault');
    const files = fs.readdirSync(root, { recursive: true, encoding: 'utf8' });
    const texts: Record<string, string> = {};
    for (const file of files.map((each) => each.replaceAll(path.sep, '/'))) {
      const hidden = file.split('/').some((segment) => segment.startsWith('.'));
      if (!hidden && /\.md$/.test(file)) {
        texts[file] = fs.readFileSync(path.join(root, file), 'utf8');
      }
    }
    expect(Object.keys(texts).length).toBeGreaterThan(20);
    await using bench = memoryBench(texts, { settings: { excludedTag: '' } });
    const patterns = ['Milk', 'TODO|task|tomorrow', 'Soil', 'the', '^- \\[ \\] ', '#\\w+', 'a\\n'];
    const further = ['\\[\\[[^\\]]+\\]\\]', '- [ ] ', '^# .+$', 'zzzz', '\\d{4}-\\d{2}-\\d{2}'];
    let found = 0;
    for (const pattern of [...patterns, ...further]) {
      for (const rules of [{}, { case_sensitive: true }, { file_pattern: 'lists' }]) {
        const wish = { pattern, ...rules };
        const told = await bench.expectSuccess('search_files', wish);
        expectTrue(told, texts, wish);
        found += totalsIn(told).matches;
      }
    }
    expect(found).toBeGreaterThan(100);
  });
});
