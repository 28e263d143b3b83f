/**
 * What the agent may touch, as a table of all tools. A tool missing in the table fails here, and so
 * does one that accesses the vault without a decision.
 */
import { liveTexts } from '../builders/live-texts';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { decide } from '#policy/decide';
import { ALL_TOOLS } from '#tools/all-tools';
import { Caller, type CallerOptions, type DecidedCall } from './caller';
import { buildContext } from '#queue/turn-context';

const decided: DecidedCall[] = vi.hoisted(() => []);
vi.mock('#policy/decide', async (actual) => {
  const real = await actual<typeof import('#policy/decide')>();
  const decide: typeof real.decide = (question) => {
    const decision = real.decide(question);
    decided.push({ question, decision });
    return decision;
  };
  return { ...real, decide };
});
beforeEach(() => void (decided.length = 0));

type Need = 'allowAdd' | 'allowReplace' | 'allowCreate';

interface Change {
  readonly input: object;
  /** The capability it needs. */
  readonly needs: Need;
  /** The note that it edits, moves or deletes; null if it only creates. */
  readonly edits: string | null;
}

interface Row {
  /** Calls that name this path as an existing one. */
  readonly names?: (path: string) => object[];
  /** Calls that name it as a new one. */
  readonly makes?: (path: string) => object[];
  /** Calls that search everywhere. */
  readonly looks?: (word: string) => object[];
  /** Calls that change the vault, each in its own way. */
  readonly changes?: readonly Change[];
  /** Calls that write this text. */
  readonly writes?: (text: string) => object[];
  /** Calls on instructions for agents. */
  readonly instructs?: (path: string) => object[];
  /** It does not access the vault. */
  readonly apart?: true;
  /** Calls whose effect cannot be known before. */
  readonly runs?: readonly object[];
  /** Its calls need earlier changes, and have tests of their own. */
  readonly needsChanges?: true;
}

const END = (content: string) => [{ position: 'end', content }];

const TABLE: Readonly<Record<string, Row>> = {
  read_file: {
    names: (path) => [{ path }, { paths: [path, path] }, { path, start_line: 1, end_line: 2 }],
  },
  get_file_info: { names: (path) => [{ path }] },
  get_properties: { names: (path) => [{ paths: [path] }] },
  get_context: { looks: () => [{}] },
  query_notes: {
    names: (path) => [{ links_to: path }, { folder: path }],
    looks: (word) => [{}, { tags: [word] }, { properties: { tags: '*' } }, { sort: 'name' }],
  },
  list_tags: { looks: (word) => [{}, { filter: word }, { filter: 'private' }] },
  get_links: { names: (path) => [{ path }, { path, depth: 3 }] },
  find_dead_links: {
    names: (path) => [{ path }, { path, orphans: true }],
    looks: () => [{}, { orphans: true }],
  },
  explore_structure: {
    names: (path) => [{ path }],
    looks: () => [{}, { summaries: true, max_depth: 9 }],
  },
  list_files: { names: (path) => [{ path }], looks: (word) => [{}, { pattern: `*${word}*` }] },
  search_vault: {
    names: (path) => [{ query: 'one', folder: path }],
    looks: (word) => [{ query: word }, { query: 'one two', include_content: true }],
  },
  search_files: {
    looks: (word) => [{ pattern: word }, { pattern: '.', file_pattern: `**/*${word}*` }],
  },
  write_file: {
    makes: (path) => [{ path, content: 'x' }],
    changes: [
      { input: { path: 'New.md', content: 'x' }, needs: 'allowCreate', edits: null },
      { input: { content: '# Idea' }, needs: 'allowCreate', edits: null },
      { input: { path: 'Note.md', content: 'Other.\n' }, needs: 'allowReplace', edits: 'Note.md' },
      {
        input: { path: 'Note.md', content: 'One.\nTwo. [[Sub/x]]\nThree.\n' },
        needs: 'allowAdd',
        edits: 'Note.md',
      },
    ],
    writes: (content) => [
      { path: 'New.md', content },
      { content },
      { path: 'Note.md', content: `One.\nTwo. [[Sub/x]]\n${content}\n` },
    ],
    instructs: (path) => [{ path, content: 'x' }],
  },
  edit_file: {
    names: (path) => [{ path, edits: END('x') }],
    changes: [
      { input: { path: 'Note.md', edits: END('x') }, needs: 'allowAdd', edits: 'Note.md' },
      {
        input: { path: 'Note.md', edits: [{ old_text: 'One', new_text: 'Two' }] },
        needs: 'allowReplace',
        edits: 'Note.md',
      },
      {
        input: { path: 'Note.md', edits: [{ position: 'delete:1' }] },
        needs: 'allowReplace',
        edits: 'Note.md',
      },
    ],
    writes: (text) => [
      { path: 'Note.md', edits: END(text) },
      { path: 'Note.md', edits: [{ old_text: 'One.', new_text: text }] },
    ],
    instructs: (path) => [{ path, edits: END('x') }],
  },
  update_properties: {
    names: (path) => [
      { path, set: { a: 1 } },
      { path, set: { a: 1 }, remove: ['b'] },
    ],
    changes: [
      {
        input: { path: 'Note.md', set: { status: 'open' } },
        needs: 'allowAdd',
        edits: 'Note.md',
      },
    ],
    writes: (content) => [{ path: 'Note.md', set: { status: content } }],
    instructs: (path) => [{ path, set: { a: 1 } }],
  },
  add_tags: {
    names: (path) => [{ path, tags: ['x'] }],
    changes: [{ input: { path: 'Note.md', tags: ['x'] }, needs: 'allowAdd', edits: 'Note.md' }],
    instructs: (path) => [{ path, tags: ['x'] }],
  },
  rename_tag: {
    names: (path) => [{ tag: 'seed', to: 'x', paths: [path] }],
    changes: [
      {
        input: { tag: 'seed', to: 'crop', paths: ['Work/Plan.md'] },
        needs: 'allowReplace',
        edits: 'Work/Plan.md',
      },
    ],
  },
  replace_in_notes: {
    names: (path) => [{ replacements: [{ old_text: 'One', new_text: 'Two' }], paths: [path] }],
    looks: (word) => [{ replacements: [{ old_text: word, new_text: 'x' }], count_only: true }],
    changes: [
      {
        input: { replacements: [{ old_text: 'One', new_text: 'Two' }], paths: ['Note.md'] },
        needs: 'allowReplace',
        edits: 'Note.md',
      },
    ],
    writes: (text) => [
      { replacements: [{ old_text: 'One.', new_text: text }], paths: ['Note.md'] },
    ],
  },
  redirect_links: {
    names: (path) => [
      { from: path, to: 'Note.md' },
      { from: 'Note.md', to: path },
    ],
    changes: [
      {
        input: { from: 'Sub/x.md', to: 'Note.md' },
        needs: 'allowReplace',
        edits: 'Note.md',
      },
    ],
  },
  update_tasks: {
    names: (path) => [{ path, tasks: ['One'], status: 'new' }],
    changes: [
      {
        input: { path: 'Note.md', tasks: ['One'], status: 'new' },
        needs: 'allowAdd',
        edits: 'Note.md',
      },
    ],
    instructs: (path) => [{ path, tasks: ['One'], status: 'new' }],
  },
  link_notes: {
    names: (path) => [
      { source: path, target: 'Note.md' },
      { source: 'Note.md', target: path },
    ],
    changes: [
      {
        input: { source: 'Note.md', target: 'Note.md' },
        needs: 'allowAdd',
        edits: 'Note.md',
      },
    ],
    instructs: (path) => [{ source: path, target: 'Note.md' }],
  },
  create_folder: {
    makes: (path) => [{ path }],
    changes: [{ input: { path: 'Fresh' }, needs: 'allowCreate', edits: null }],
  },
  move: {
    names: (path) => [{ source: path, destination: 'Elsewhere.md' }],
    makes: (path) => [{ source: 'Note.md', destination: path }],
    changes: [
      {
        input: { source: 'Note.md', destination: 'Moved.md' },
        needs: 'allowReplace',
        edits: 'Note.md',
      },
      { input: { source: 'Work', destination: 'Done' }, needs: 'allowReplace', edits: 'Work' },
    ],
    instructs: (path) => [
      { source: path, destination: 'Elsewhere.md' },
      { source: 'Note.md', destination: `Sub/${path}` },
    ],
  },
  copy: {
    names: (path) => [{ source: path, destination: 'Elsewhere.md' }],
    makes: (path) => [{ source: 'Note.md', destination: path }],
    changes: [
      { input: { source: 'Note.md', destination: 'New.md' }, needs: 'allowCreate', edits: null },
    ],
    instructs: (path) => [{ source: 'Note.md', destination: `Sub/${path}` }],
  },
  delete: {
    names: (path) => [{ path }],
    changes: [
      { input: { path: 'Note.md' }, needs: 'allowReplace', edits: 'Note.md' },
      { input: { path: 'Work' }, needs: 'allowReplace', edits: 'Work' },
    ],
    instructs: (path) => [{ path }],
  },
  apply_template: {
    names: (path) => [{ template: path, path: 'New.md' }],
    makes: (path) => [{ template: 'Work/Plan.md', path }],
    changes: [
      {
        input: { template: 'Note.md', path: 'Note.md' },
        needs: 'allowAdd',
        edits: 'Note.md',
      },
    ],
    instructs: (path) => [{ template: 'Note.md', path }],
  },
  copy_notes: { names: (path) => [{ paths: [path] }, { paths: ['Note.md', path] }] },
  execute_command: { apart: true, runs: [{ command: 'app:save' }, { command: 'Save' }] },
  web_search: { apart: true },
  read_webpage: { apart: true },
  open_note: { names: (path) => [{ path }, { path, line: 1 }] },
  plan: { apart: true },
  send_message: { apart: true },
  ask_user: { apart: true },
  get_conversation: { apart: true },
  get_changes: { apart: true },
  undo_changes: { apart: true, needsChanges: true },
  done: { apart: true },
  end_conversation: { apart: true },
};

const SECRET = 'zxsecretxz';

const FILES = {
  'Note.md': 'One.\nTwo. [[Sub/x]]\n',
  'Work/Plan.md': 'Plan. #seed\n',
  'AGENTS.md': 'Be kind.\n',
  'Sub/x.md': 'x\n',
  'Private/Diary.md': `${SECRET} one\n`,
  'Private/Deep/More.md': `${SECRET} two\n`,
  'Hidden.md': `---\ntags: [private/health]\n---\n${SECRET} three\n`,
  'Told.md': `${SECRET} four, see #private\n`,
};

/** All paths the agent may know of. */
const SEEN = Object.fromEntries(
  Object.entries(FILES).filter(([path]) => !/^(?:Private\/|Hidden|Told)/.test(path)),
);

/** With all tools allowed, so that only the rules apply. */
const EXCLUDING = { excludedFolders: ['Private'], tools: { delete: 'allow' } } as const;

function caller(options: CallerOptions = {}, files: Record<string, string> = FILES): Caller {
  return new Caller(files, {
    decided,
    ...options,
    settings: { ...EXCLUDING, ...options.settings },
  });
}

/** With files to be overwritten read first, as the tools require. */
async function informed(options: CallerOptions = {}): Promise<Caller> {
  const made = caller(options);
  await made.call('read_file', { paths: ['Note.md', 'AGENTS.md'] });
  return made;
}

/** The tools with this property, and its value. */
const each = <Value>(pick: (row: Row) => Value | undefined): [string, Value][] =>
  Object.entries(TABLE).flatMap(([name, row]): [string, Value][] => {
    const value = pick(row);
    return value === undefined ? [] : [[name, value]];
  });

const changes = each((row) => row.changes).flatMap(([name, all]) =>
  all.map((change): [string, Change] => [name, change]),
);

const inVault = (made: Caller) =>
  Object.fromEntries(
    made.notes
      .list()
      .flatMap(({ kind, path }) =>
        kind === 'file' ? [[path, made.notes.text(path)]] : [[path, 'folder']],
      ),
  );
const UNTOUCHED = inVault(new Caller(FILES));

test('the table has every tool', () => {
  expect(Object.keys(TABLE).sort()).toEqual(ALL_TOOLS.map(({ name }) => name).sort());
});

test.each(ALL_TOOLS.map((tool) => [tool.name, tool.effect] as const))(
  '%s has rows for its kind: %s',
  (name, effect) => {
    const { changes: made, names, looks, makes, apart, runs, needsChanges } = TABLE[name] ?? {};
    const isChange = needsChanges ?? (made ?? runs ?? []).length > 0;
    expect(isChange).toBe(effect === 'change');
    expect(Boolean(names ?? looks ?? makes)).not.toBe(apart ?? false);
  },
);

const NEWS = {
  now: 'Friday',
  source: 'typed',
  limits: { mode: 'apply', scope: 'vault', withheld: [] },
  activeNote: null,
  opening: [],
  switchedOff: [],
  retry: null,
  userActions: [],
} as const;

describe('out of bounds', () => {
  const BOUNDS: readonly [string, (path: string) => boolean, RegExp][] = [
    ['protected', (path) => path.startsWith('.'), /is protected/],
    ['excluded', (path) => !path.startsWith('.'), /is in a folder that the user has excluded/],
  ];
  const PATHS = [
    ...['.obsidian/app.json', '.OBSIDIAN/nothing.md', '.smarthole/inbox/x.json', '.trash/Old.md'],
    ...['Private', 'Private/Diary.md', 'Private/nothing.md', 'PRIVATE/Deep/More', './Private//x'],
    ...['Private./Diary.md', 'Ｐrivate/Diary.md', 'PRIVAT~1/Diary.md', 'Work/../Private/Diary.md'],
  ];
  const calls = [...each((row) => row.names), ...each((row) => row.makes)];

  test.each(calls)(
    '%s answers with the rule, whether the path exists or not',
    async (name, make) => {
      for (const path of PATHS) {
        const rule = BOUNDS.find(([, fits]) => fits(path.replace(/^\.\//, '')))?.[2];
        for (const input of make(path)) {
          const made = await informed();
          const told = await made.says(name, input);
          expect(told, `${name} ${JSON.stringify(input)}`).toMatch(rule ?? /never/);
          expect(told).not.toContain(SECRET);
          expect(inVault(made)).toEqual(UNTOUCHED);
        }
      }
    },
  );

  test.each(each((row) => row.names))(
    '%s treats a note with the hidden tag like a missing one',
    async (name, make) => {
      for (const path of ['Hidden.md', 'Told.md', 'hidden', '[[Told]]']) {
        for (const [at, input] of make(path).entries()) {
          const made = caller();
          const told = await made.says(name, input);
          expect(told).toBe(await caller({}, SEEN).says(name, make(path)[at]!));
          expect(told).toMatch(/does not exist/);
          expect(inVault(made)).toEqual(UNTOUCHED);
        }
      }
    },
  );

  test.each(each((row) => row.makes))(
    '%s says only that it is not possible if such a note is in the way',
    async (name, make) => {
      for (const path of ['Hidden.md', 'HIDDEN.md', 'Told.md', 'Told.md/x.md']) {
        for (const input of make(path)) {
          const made = await informed();
          expect(await made.says(name, input)).toBe('Not possible here.');
          expect(inVault(made)).toEqual(UNTOUCHED);
        }
      }
    },
  );

  test.each(each((row) => row.looks))('%s finds everything else', async (name, make) => {
    for (const word of [SECRET, 'Diary', 'Private', 'Hidden', 'Told', 'o']) {
      for (const input of make(word)) {
        expect(await caller().says(name, input)).toBe(await caller({}, SEEN).says(name, input));
      }
    }
  });

  test.each(changes)('%s moves or deletes nothing hidden: %j', async (name, { input, edits }) => {
    const below = { 'Work/Secret.md': 'x #private\n', 'Work/Clients/A.md': 'a\n' };
    if (edits !== 'Work') return expect(name).not.toBe('');
    for (const [path, text] of Object.entries(below)) {
      const made = caller(
        { settings: { excludedFolders: ['Work/Clients'] } },
        { ...FILES, [path]: text },
      );
      expect(await made.says(name, input)).toMatch(/was not (?:moved|deleted): /);
      expect(made.notes.text(path)).toBe(text);
    }
  });
});

describe('modes', () => {
  test.each(changes)('%s changes nothing in Read only: %j', async (name, { input }) => {
    const made = await informed({ mode: 'read-only' });
    const called = await made.call(name, input);
    expect(called).toMatchObject({
      result: { failed: true, details: { kind: 'refused', by: 'mode' } },
    });
    expect(inVault(made)).toEqual(UNTOUCHED);
  });

  test.each(each((row) => row.runs))('%s runs nothing in Read only', async (name, inputs) => {
    const settings = { commands: ['app:save'], tools: { [name]: 'allow' } } as const;
    for (const input of inputs) {
      const made = caller({ mode: 'read-only', settings });
      expect(await made.call(name, input)).toMatchObject({
        result: { failed: true, details: { kind: 'refused', by: 'mode' } },
      });
      expect(made.commands.ran).toEqual([]);
      const other = caller({ mode: 'review', settings });
      expect(await other.call(name, input)).toMatchObject({ result: { failed: false } });
      expect(other.commands.ran).toEqual(['app:save']);
    }
  });

  test.each(changes)('%s is decided in Review and Apply: %j', async (name, { input }) => {
    for (const mode of ['review', 'apply'] as const) {
      const made = await informed({ mode });
      expect(await made.call(name, input)).toMatchObject({ result: { failed: false } });
      expect(inVault(made)).not.toEqual(UNTOUCHED);
      for (const about of ['tool', 'path', 'effect']) {
        expect(decided.some(({ question }) => question.about === about)).toBe(true);
      }
      decided.length = 0;
    }
  });
});

describe('permissions', () => {
  const settable = ALL_TOOLS.filter(({ fixed }) => !fixed).map((tool) => tool.name);

  test.each(settable)('%s is refused if it is off', async (name) => {
    const made = caller({ settings: { tools: { [name]: 'off' } } });
    expect(await made.call(name, {})).toMatchObject({
      result: { failed: true, details: { kind: 'refused', by: 'permission' } },
    });
  });

  test.each(changes)(
    '%s asks before touching anything if it is set to ask: %j',
    async (name, { input }) => {
      const made = await informed({ settings: { tools: { [name]: 'ask' } } });
      const called = await made.call(name, input);
      expect(called).toMatchObject({ asks: { kind: 'approval', tool: name } });
      expect(inVault(made)).toEqual(UNTOUCHED);
      const yes = { kind: 'choice', choice: name === 'delete' ? 'delete' : 'allow-once' } as const;
      expect(await made.decides(name, input, yes)).toMatchObject({ failed: false });
      expect(inVault(made)).not.toEqual(UNTOUCHED);
    },
  );

  test.each(each((row) => row.names))(
    '%s asks before looking if it is set to ask',
    async (name, make) => {
      const made = caller({ settings: { tools: { [name]: 'ask' } } });
      for (const input of make('Sub/x.md')) {
        expect(await made.call(name, input)).toMatchObject({
          asks: { kind: 'approval', tool: name },
        });
      }
    },
  );

  test.each(['done', 'ask_user'])('%s cannot be turned off', async (name) => {
    const made = caller({ settings: { tools: { [name]: 'off' } } });
    const input = ALL_TOOLS.find((tool) => tool.name === name)?.example;
    const called = await made.call(name, input as unknown as object);
    expect('asks' in called ? called.asks.kind : called.result.failed).toBe(
      name === 'done' ? false : 'question',
    );
  });
});

describe('capabilities', () => {
  const NEEDS: readonly Need[] = ['allowAdd', 'allowReplace', 'allowCreate'];

  test.each(changes)('%s needs one capability and no other: %j', async (name, { input, needs }) => {
    for (const need of NEEDS) {
      const made = await informed({ settings: { [need]: false } });
      const called = await made.call(name, input);
      if (need !== needs) expect(called).toMatchObject({ result: { failed: false } });
      else {
        expect(called).toMatchObject({
          result: { failed: true, details: { kind: 'refused', by: 'capability' } },
        });
        expect(inVault(made)).toEqual(UNTOUCHED);
      }
    }
  });
});

describe('edit scope', () => {
  const editing = changes.filter(([, { edits }]) => edits !== null);

  test.each(editing)('%s is limited by the scope: %j', async (name, { input, edits }) => {
    const scopes = ['current', 'linked', 'context'] as const;
    for (const editableScope of scopes) {
      const made = await informed({ settings: { editableScope }, activeNote: 'Sub/x.md' });
      expect(await made.call(name, input)).toMatchObject({
        result: { failed: true, details: { kind: 'refused', by: 'scope' } },
      });
      expect(inVault(made)).toEqual(UNTOUCHED);
    }
    const within = {
      settings: { editableScope: 'context' },
      attached: [edits ?? ''],
    } as const;
    expect(await (await informed(within)).call(name, input)).toMatchObject({
      result: { failed: false },
    });
  });

  test.each([
    [0, false],
    [1, true],
  ])('notes linked from an attached note, with %j links to follow', async (contextDepth, may) => {
    const settings = { editableScope: 'context', contextDepth } as const;
    const files = { 'Start.md': 'See [[Note]].\n', 'Note.md': 'One.\n' };
    const made = caller({ settings, attached: ['Start.md'] }, files);
    const edits = [{ old_text: 'One', new_text: 'Two' }];
    expect(await made.call('edit_file', { path: 'Note.md', edits })).toMatchObject({
      result: { failed: !may },
    });
  });

  test('notes that only a hidden note links to are not in the context', async () => {
    const settings = {
      editableScope: 'context',
      contextDepth: 3,
      excludedFolders: ['Hidden'],
    } as const;
    const files = {
      ...{ 'Start.md': '[[Mid]]\n', 'Hidden/Mid.md': '[[Note]]\n', 'Note.md': 'One.\n' },
    };
    const made = caller({ settings, attached: ['Start.md'] }, files);
    const edits = [{ old_text: 'One', new_text: 'Two' }];
    expect(await made.call('edit_file', { path: 'Note.md', edits })).toMatchObject({
      result: { failed: true, details: { kind: 'refused', by: 'scope' } },
    });
  });

  test.each(changes.filter(([, { edits }]) => edits === null))(
    '%s, which creates, is not limited by the scope: %j',
    async (name, { input }) => {
      const made = await informed({ settings: { editableScope: 'current' } });
      expect(await made.call(name, input)).toMatchObject({ result: { failed: false } });
    },
  );

  test.each(editing)(
    '%s may edit what the conversation created: %j',
    async (name, { input, edits }) => {
      const { 'Note.md': _note, 'Work/Plan.md': _plan, ...others } = FILES;
      const made = caller({ settings: { editableScope: 'current' } }, others);
      const path = edits?.startsWith('Work') ? 'Work/Plan.md' : 'Note.md';
      await made.call('write_file', { path, content: 'One. #seed\nTwo. [[Sub/x]]\n' });
      await made.call('read_file', { path });
      expect(await made.call(name, input)).toMatchObject({ result: { failed: false } });
    },
  );
});

describe('approvals in every mode', () => {
  const RUNS = ['```dataviewjs\nx\n```', '<% tp.x %>', '![](https://evil.example/x.png)'];
  const MODES = ['review', 'apply'] as const;
  const SOURCES = ['typed', 'voice', 'text'] as const;

  test.each(each((row) => row.writes))(
    '%s lets what may run wait in the note, or asks',
    async (name, make) => {
      for (const mode of MODES)
        for (const source of SOURCES)
          for (const text of RUNS)
            for (const input of make(text)) {
              const made = await informed({ mode, source });
              const called = await made.call(name, input);
              const asks = { kind: 'approval', choices: ['allow-once', 'deny'] };
              if ('asks' in called) expect(called).toMatchObject({ asks });
              else expect(called.result.text, JSON.stringify(input)).toContain('Proposed to');
              expect(liveTexts(inVault(made))).toEqual(UNTOUCHED);
            }
    },
  );

  test.each(each((row) => row.instructs))(
    '%s asks about instructions for agents',
    async (name, make) => {
      for (const mode of MODES)
        for (const input of make('AGENTS.md')) {
          const made = await informed({ mode, source: 'voice' });
          const called = await made.call(name, input);
          const lines =
            'asks' in called && called.asks.kind === 'approval' ? called.asks.lines : [];
          expect(lines.join('\n'), JSON.stringify(input)).toMatch(/AGENTS\.md tells agents/);
          expect(inVault(made)).toEqual(UNTOUCHED);
        }
    },
  );

  test.each(changes)('%s asks about template folders: %j', async (name, { input }) => {
    const made = await informed();
    made.metadata.folders = ['Work', 'Note.md', 'New.md', 'Idea.md', 'Fresh'];
    expect(await made.says(name, input)).toBe('asks');
    expect(inVault(made)).toEqual(UNTOUCHED);
  });
});

describe('folders in the settings', () => {
  const FOLDERS = ['templateFolder', 'customToolFolder', 'promptFolder'] as const;
  const PLACES = ['Work', 'Note.md', 'New.md', 'Idea.md', 'Fresh'];

  test.each(changes)('%s asks when it touches them, in each mode: %j', async (name, { input }) => {
    for (const folder of FOLDERS)
      for (const mode of ['review', 'apply'] as const) {
        const told: string[] = [];
        for (const place of PLACES) {
          const made = await informed({ mode, source: 'voice', settings: { [folder]: place } });
          told.push(await made.says(name, input));
          if (told.at(-1) === 'asks') expect(inVault(made)).toEqual(UNTOUCHED);
        }
        expect(told).toContain('asks');
      }
  });
});

describe('actions without a tool of their own', () => {
  const ALL = { add: true, replace: true, create: true, navigate: true };
  const opens = (navigate: boolean) =>
    decide({
      about: 'tool',
      tool: 'open_note',
      changes: false,
      navigates: true,
      permission: 'allow',
      mode: 'read-only',
      capabilities: { ...ALL, navigate },
      isAboutHunk: false,
    });

  test('opening notes needs the navigate capability in every mode', () => {
    expect(opens(true)).toEqual({ answer: 'allow' });
    expect(opens(false)).toMatchObject({ answer: 'refuse', by: 'capability' });
  });

  test.each([
    ['execute_command', { changes: true, navigates: true }],
    ['server__write', { changes: false, navigates: false, outside: 'acts' }],
  ] as const)('%s is not run for a reply to a pending edit', (tool, does) => {
    const decision = (isAboutHunk: boolean) =>
      decide({
        ...{ about: 'tool', tool, ...does, permission: 'allow', mode: 'apply' },
        ...{ capabilities: ALL, isAboutHunk },
      });
    expect(decision(true)).toMatchObject({ answer: 'refuse', by: 'hunk' });
    expect(decision(false)).toEqual({ answer: 'allow' });
  });

  test('a note without a path goes to the root if the usual folder is hidden', async () => {
    const made = caller();
    made.metadata.place = 'Private';
    await made.call('write_file', { content: '# Idea' });
    expect(made.notes.text('Idea.md')).toBe('# Idea');
  });

  test('a note gets another name if a hidden one has its name', async () => {
    const made = caller();
    await made.call('write_file', { content: '# Hidden' });
    expect(made.notes.text('Hidden.md')).toBe(FILES['Hidden.md']);
    expect(made.notes.text('Note Hidden.md')).toBe('# Hidden');
  });

  test('attachments and their links leave out hidden notes', async () => {
    const links = { 'Hub.md': '[[Told]] [[Diary]] [[Plan]]', 'Work/Plan.md': '[[x]] [[Hidden]]' };
    const { toolContexts } = caller({ settings: { contextDepth: 3 } }, { ...FILES, ...links });
    const paths = ['Hub.md', 'Told.md', 'Private/Diary.md', 'gone.md'];
    const attachments = paths.map((path) => ({ kind: 'note', path }) as const);
    const { text, parts } = await buildContext(NEWS, attachments, toolContexts, null);
    expect(parts.map(({ name }) => name)).toEqual([
      'Date, mode and updates',
      ...['Hub.md', 'Work/Plan.md (linked)', 'Sub/x.md (linked)'],
    ]);
    expect(text).toContain('Attached: Hub.md, Work/Plan.md (linked), Sub/x.md (linked)\n');
    expect(await toolContexts.visiblePath('Hub.md')).toBe('Hub.md');
    for (const path of [
      'Told.md',
      'Hidden.md',
      'Private/Diary.md',
      '.obsidian/app.json',
      'gone.md',
    ]) {
      expect(await toolContexts.visiblePath(path)).toBeNull();
    }
  });
});
