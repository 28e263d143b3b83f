/**
 * A call for several notes does what calls on single notes would do, one after the other: the same
 * notes, byte for byte, and the same changes, in Apply and Review, beside edits that wait, and while
 * another program changes notes.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallResult } from '#model/message';
import { memoryBench, type MemoryBench } from '#tests/builders/tools';
import { cases, CASES_TIMEOUT_MS, leastCount } from '#tests/cases';

const PATHS = ['A.md', 'B.md', 'In/C.md', 'In/D.md', 'In/Deep/E.md'] as const;

const note = fc
  .tuple(
    fc.constantFrom(
      '',
      '---\nstatus: open # now\ntags: [old, new]\n---\n',
      '---\nStatus: "x"\ntags:\n  - old/deep\n---\n',
      '---\nstate: done\n---\n',
      '---\nbroken: [\n---\n',
      '---\ntags: old, b\n---\n',
    ),
    fc.array(
      fc.constantFrom(
        'One #old two.',
        '# Head',
        '- #old',
        '`#old` and #Old/x',
        '',
        'See [[A]].',
        '```',
      ),
      { maxLength: 5 },
    ),
  )
  .map(([head, lines]) => head + lines.map((line) => `${line}\n`).join(''));

const files = fc
  .tuple(...PATHS.map(() => note))
  .map((texts) => Object.fromEntries(PATHS.map((path, at) => [path, texts[at]!])));

/** What the calls are for: also names that several notes or none have. */
const paths = fc.uniqueArray(fc.constantFrom<string>(...PATHS, 'c', 'Gone.md', 'In'), {
  minLength: 2,
  maxLength: 5,
});

interface Wish {
  readonly tool: string;
  readonly all: object;
  readonly single: readonly object[];
}

const ofPaths = (tool: string, rest: object) =>
  paths.map((chosen): Wish => ({
    tool,
    all: { paths: chosen, ...rest },
    single: chosen.map((path) =>
      tool === 'rename_tag' ? { paths: [path], ...rest } : { path, ...rest },
    ),
  }));

const destination = fc.constantFrom('Out/', 'B.md', 'In/', 'New.md', 'A.md', 'In/Deep/F');
const wish: fc.Arbitrary<Wish> = fc.oneof(
  ofPaths('update_properties', { set: { status: 'done', extra: 1 } }),
  ofPaths('update_properties', { rename: { status: 'state' }, remove: ['tags'] }),
  fc.tuple(paths, fc.nat({ max: 3 })).map(([chosen, first]): Wish => {
    const values = chosen.map((path, at) => [path, { status: `s${at % (first + 1)}` }] as const);
    return {
      tool: 'update_properties',
      all: { each: Object.fromEntries(values), set: { extra: 1 } },
      single: values.map(([path, own]) => ({ path, set: { extra: 1, ...own } })),
    };
  }),
  ofPaths('add_tags', { tags: ['new', 'more'] }),
  ofPaths('rename_tag', { tag: 'old', to: 'new' }),
  ofPaths('rename_tag', { tag: 'old', to: null }),
  ofPaths('delete', {}),
  fc
    .array(fc.record({ source: fc.constantFrom<string>(...PATHS, 'In', 'New.md'), destination }), {
      minLength: 2,
      maxLength: 4,
    })
    .map((moves): Wish => ({ tool: 'move', all: { moves }, single: moves })),
);

/** After the n-th change to the vault, another program writes this note. */
const meanwhile = fc.option(
  fc.record({ after: fc.nat({ max: 3 }), path: fc.constantFrom(...PATHS), text: note }),
  { nil: null },
);
const pendingIn = fc.array(fc.constantFrom(...PATHS), { maxLength: 2 });

interface Case {
  readonly files: Record<string, string>;
  readonly mode: 'apply' | 'review';
  readonly pendingIn: readonly string[];
  readonly other: { readonly after: number; readonly path: string; readonly text: string } | null;
}

async function benchFor({
  files: given,
  mode,
  pendingIn: waiting,
  other,
}: Case): Promise<MemoryBench> {
  const settings = { panelMode: 'review', tools: { delete: 'allow' } } as const;
  const bench = memoryBench(given, { settings });
  for (const path of waiting) {
    const edits = [{ position: 'end', content: 'Waits #old.' }];
    await bench.call('edit_file', { path, edits });
  }
  bench.settings = { ...bench.settings, panelMode: mode };
  let changes = 0;
  bench.notes.onChange(() => {
    changes += 1;
    if (other && changes === other.after + 1 && bench.notes.get(other.path)) {
      bench.notes.put(other.path, other.text);
    }
  });
  return bench;
}

const plain = (text: string) =>
  text.replace(/\b(?:proposal|change|conversation|turn|call|request|step)-\d+/g, 'id');

function textsOf(bench: MemoryBench): object {
  const all = bench.notes.list().flatMap(({ path, kind }) => (kind === 'file' ? [path] : []));
  return Object.fromEntries(all.sort().map((path) => [path, plain(bench.notes.text(path))]));
}

function changesIn(results: readonly CallResult[]): string {
  const changes = results.flatMap(({ details }) =>
    details?.kind === 'changes' ? details.changes : [],
  );
  return plain(JSON.stringify(changes, null, 1));
}

test(
  'a call for several notes equals the calls on single notes, one after the other',
  async () => {
    let changed = 0;
    const mode = fc.constantFrom('apply' as const, 'review' as const);
    const setting = fc.record({ files, mode, pendingIn, other: meanwhile });
    await fc.assert(
      fc.asyncProperty(setting, wish, async (given, { tool, all, single }) => {
        await using together = await benchFor(given);
        await using apart = await benchFor(given);
        const result = await together.call(tool, all);
        const results: CallResult[] = [];
        for (const each of single) results.push(await apart.call(tool, each));
        expect(textsOf(together)).toEqual(textsOf(apart));
        expect(changesIn([result])).toBe(changesIn(results));
        expect(result.failed).toBe(
          results.some(({ failed }) => failed) && changesIn(results) === '[]',
        );
        if (changesIn(results) !== '[]') changed += 1;
        for (const each of results) {
          const own = each.details?.kind === 'changes' ? each.details.changes : [];
          for (const { path } of own) expect(result.text).toContain(path);
        }
      }),
      cases,
    );
    expect(changed).toBeGreaterThanOrEqual(leastCount(0.5));
  },
  CASES_TIMEOUT_MS,
);
