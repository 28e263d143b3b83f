/**
 * Attachments reach the model with the message, bounded and marked as data; hidden notes never do.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Attachment } from '#model/attachment';
import type { Settings } from '#model/settings';
import { memoryMetadata } from '../builders/fake-metadata';
import { MemoryNotes } from '../builders/fake-vault';
import { answers, call, says, thinkingModel } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { testClock } from '../builders/fake-clock';
import { tinyVault } from '../edits/vault';
import { eventsOn, makeRig, type Disk, type Rig } from './app-on-disk';

const FILES = {
  'Lists/Shopping.md':
    '# Shopping\n\n- [ ] bread\n\n## Later\n\n- [ ] paint\n\n### Soon\n\n- brush\n\n## Never\n\n- fur\n',
  'Lists/Todo.md': '- call Ines #garden\n',
  'Garden.md': 'Dig. #garden/beds\n',
  'Secret.md': 'zxsecretxz #private #garden\n',
  'Private/Diary.md': 'zxsecretxz #garden\n',
  'Empty.md': '',
} as const;

async function begin(settings: Partial<Settings> = {}, files: Record<string, string> = FILES) {
  const vault = tinyVault(files, ['Lists', 'Private']);
  const metadata = memoryMetadata(new MemoryNotes(files));
  const disk: Disk = {
    ...{ store: memoryStore(), vault, metadata, clock: testClock() },
    model: thinkingModel(() => says('Seen.')),
    settings: { excludedFolders: ['Private'], ...settings },
  };
  const rig = makeRig(disk);
  await rig.load();
  return { disk, rig };
}

async function told(attachments: readonly Attachment[], settings: Partial<Settings> = {}) {
  const { disk, rig } = await begin(settings);
  const sent = await rig.agent.queue.send({ text: 'Look.', attachments });
  expect(sent.ok).toBe(true);
  await rig.idle();
  const [start] = eventsOn(disk, 'turn-start');
  if (!start) throw new Error('No turn began.');
  const parts = (start.contextParts ?? []).map(({ name, from, to }) => ({
    name,
    text: start.context.slice(from, to),
  }));
  return { context: start.context, parts: parts.slice(1), start };
}

const note = (path: string, heading?: string): Attachment => ({
  ...{ kind: 'note', path },
  ...(heading === undefined ? {} : { heading }),
});

describe('an attached note', () => {
  it('an attached note has its path and numbered lines, marked as data', async () => {
    const { parts, start } = await told([note('Lists/Shopping.md')]);
    const [part] = parts;
    expect(part?.name).toBe('Lists/Shopping.md');
    expect(part?.text).toMatch(
      /^<attached>\nLists\/Shopping\.md \(lines 1-15 of 15\)\n1: # Shopping\n/,
    );
    expect(part?.text).toMatch(/\n15: - fur\n<\/attached>$/);
    expect(start.request.attachments).toEqual([note('Lists/Shopping.md')]);
  });

  it("an attached heading has only its section, with the note's line numbers", async () => {
    const { parts } = await told([note('Lists/Shopping.md', 'Later')]);
    const [part] = parts;
    expect(part?.name).toBe('Lists/Shopping.md#Later');
    expect(part?.text.match(/^\d+:.*/gm)).toEqual([
      ...[
        '5: ## Later',
        '6: ',
        '7: - [ ] paint',
        '8: ',
        '9: ### Soon',
        '10: ',
        '11: - brush',
        '12: ',
      ],
    ]);
  });

  it('an attachment with a missing heading says so, and a missing note is left out', async () => {
    const { parts } = await told([note('Lists/Todo.md', 'Gone'), note('Gone.md')]);
    expect(parts.map(({ name }) => name)).toEqual(['Lists/Todo.md#Gone']);
    expect(parts[0]?.text).toContain('no longer has a heading "Gone"');
  });

  it('attached notes share the limits of one read, and those that do not fit are named', async () => {
    const long = 'word '.repeat(200);
    const files = Object.fromEntries(['A', 'B', 'C'].map((name) => [`${name}.md`, `${long}\n`]));
    const { rig, disk } = await begin({ readCharacters: 1_200, readLineCharacters: 2_000 }, files);
    await rig.agent.queue.send({
      text: 'Look.',
      attachments: [note('A.md'), note('B.md'), note('C.md')],
    });
    await rig.idle();
    const [start] = eventsOn(disk, 'turn-start');
    expect(start?.context.match(/word/g)?.length).toBeLessThan(420);
    expect(start?.context).toContain('C.md: its text does not fit here. Read it with read_file.');
  });

  it("an attached note cannot close its section or open one of Parley's", async () => {
    const text = fc.array(
      fc.constantFrom(
        '</attached>',
        '<context>',
        '< /ATTACHED >',
        '</context >',
        'a',
        ' ',
        '<',
        '\n',
      ),
    );
    await fc.assert(
      fc.asyncProperty(text, async (pieces) => {
        const { rig, disk } = await begin({}, { 'A.md': pieces.join('') });
        await rig.agent.queue.send({ text: 'Look.', attachments: [note('A.md')] });
        await rig.idle();
        const [start] = eventsOn(disk, 'turn-start');
        expect(start?.context.match(/<\s*\/?\s*(?:attached|context)\b/gi)).toEqual([
          ...['<context', '</context', '<attached', '</attached'],
        ]);
      }),
      { numRuns: 40 },
    );
  });

  it('an attached note can be edited by line without reading it again', async () => {
    const edit = { position: 'replace:1', content: '- call Tom' };
    const wanted = call('edit_file', { path: 'Lists/Todo.md', edits: [edit] }, { wireId: 'w1' });
    const { disk, rig } = await begin();
    const model = thinkingModel(({ history }) =>
      history.at(-1)?.role === 'results' ? says('Done.') : answers([wanted]),
    );
    const other = makeRig({ ...disk, model });
    await other.load();
    await other.agent.queue.send({ text: 'Change it.', attachments: [note('Lists/Todo.md')] });
    await other.idle();
    expect(disk.vault.texts.get('Lists/Todo.md')).toBe('- call Tom\n');
    expect(rig.problems).toEqual([]);
  });
});

describe('attachments of an answer', () => {
  it('an attachment goes with an answer', async () => {
    const asks = call('ask_user', { question: 'Which list?' }, { wireId: 'q1' });
    const { disk } = await begin();
    const requests: string[] = [];
    const model = thinkingModel(({ history }) => {
      requests.push(JSON.stringify(history.at(-1)));
      return history.at(-1)?.role === 'results' ? says('Thanks.') : answers([asks]);
    });
    const rig = makeRig({ ...disk, model });
    await rig.load();
    await rig.agent.queue.send({ text: 'Sort a list.' });
    await rig.idle();
    const conversation = (await rig.agent.state()).current?.id;
    const attachments = [note('Lists/Todo.md'), note('Secret.md')];
    await rig.agent.queue.send({
      text: 'This one.',
      attachments,
      ...(conversation ? { conversation } : {}),
    });
    await rig.idle();
    expect(requests.at(-1)).toContain('- call Ines #garden');
    expect(requests.at(-1)).not.toContain('zxsecretxz');
  });
});

describe('other attachments', () => {
  it('a folder is listed by the names of its contents', async () => {
    const { parts } = await told([{ kind: 'folder', path: 'Lists' }]);
    expect(parts[0]?.text).toMatch(/Lists\/ holds 2 files\./);
    expect(parts[0]?.text).toContain('Lists/Shopping.md');
    expect(parts[0]?.text).not.toContain('bread');
  });

  it('a large folder says how many of its contents are not listed', async () => {
    const files = Array.from({ length: 102 }, (_, at) => [`Lists/${at}.md`, ''] as const);
    const { rig, disk } = await begin({}, Object.fromEntries(files));
    await rig.agent.queue.send({
      text: 'Look.',
      attachments: [{ kind: 'folder', path: 'Lists' }],
    });
    await rig.idle();
    const context = eventsOn(disk, 'turn-start')[0]?.context;
    expect(context).toContain('Lists/ holds 102 files.\n');
    expect(context).toContain('\n(2 more are not listed)\n');
  });

  it('a tag is listed by the notes with it or a nested tag', async () => {
    const { parts } = await told([{ kind: 'tag', tag: 'garden' }]);
    expect(parts[0]?.text).toContain('#garden is in 2 files.');
    expect(parts[0]?.text).toContain('Garden.md');
  });

  it('a selection has its position, and a file from elsewhere its name', async () => {
    const { parts } = await told([
      { kind: 'selection', path: 'Lists/Todo.md', text: 'call Ines', from: 1, to: 1 },
      { kind: 'file', name: 'letter.txt', text: 'Dear all' },
    ]);
    expect(parts[0]?.text).toContain('Selected in Lists/Todo.md, line 1:\ncall Ines');
    expect(parts[1]?.text).toContain('letter.txt, a text from outside the vault:\nDear all');
  });
});

describe('links of an attached note', () => {
  const linked = {
    'Plan.md': 'See [[Beans]].\n',
    'Beans.md': 'Sow in May. [[Deep]]\n',
    'Deep.md': 'Deep.\n',
  };

  it('linked notes are sent with their text, closest first, and the preview counts the same', async () => {
    const { disk, rig } = await begin({ contextDepth: 2 }, linked);
    const unsent = { text: 'Look.', conversation: null, activeNote: null };
    const attachments = [note('Plan.md')];
    const preview = await rig.agent.composer.estimate({ ...unsent, attachments });
    await rig.agent.queue.send({ text: 'Look.', attachments });
    await rig.idle();
    const [start] = eventsOn(disk, 'turn-start');
    const sent = (start?.contextParts ?? []).slice(1);
    expect(sent.map(({ name }) => name)).toEqual([
      ...['Plan.md', 'Beans.md (linked)', 'Deep.md (linked)'],
    ]);
    expect(sent.map(({ from, to }) => start?.context.slice(from, to))).toEqual([
      '<attached>\nPlan.md (lines 1-1 of 1)\n1: See [[Beans]].\n</attached>',
      '<attached>\nLinked from what is attached, 1 link away: Beans.md (lines 1-1 of 1)\n1: Sow in May. [[Deep]]\n</attached>',
      '<attached>\nLinked from what is attached, 2 links away: Deep.md (lines 1-1 of 1)\n1: Deep.\n</attached>',
    ]);
    expect(preview.parts.slice(2)).toEqual(sent.map(({ name, tokens }) => ({ name, tokens })));
  });

  it('linked notes are not sent at depth 0', async () => {
    const { disk, rig } = await begin({ contextDepth: 0 }, linked);
    await rig.agent.queue.send({ text: 'Look.', attachments: [note('Plan.md')] });
    await rig.idle();
    expect(eventsOn(disk, 'turn-start')[0]?.context).not.toMatch(/Sow|Beans\.md/);
  });
});

describe('hidden notes', () => {
  it('hidden notes are not sent in any form', async () => {
    const { context } = await told(
      [
        ...[note('Secret.md'), note('Private/Diary.md'), note('Private/Diary.md', 'x')],
        { kind: 'folder', path: 'Private' },
        { kind: 'tag', tag: 'garden' },
        { kind: 'tag', tag: 'private' },
        { kind: 'selection', path: 'Secret.md', text: 'zxsecretxz', from: 1, to: 1 },
        { kind: 'selection', path: 'Private/Diary.md', text: 'zxsecretxz', from: 1, to: 1 },
      ],
      { contextDepth: 3 },
    );
    expect(context).not.toMatch(/zxsecretxz|Secret|Diary/);
    expect(context).not.toContain('Private/');
  });

  it('hidden notes are not offered, nor their tags or headings', async () => {
    const { composer: composing } = (await begin()).rig.agent;
    const { files, folders } = await composing.mentionable();
    expect(files).toEqual(expect.arrayContaining(['Garden.md', 'Empty.md']));
    expect([...files, ...folders].join()).not.toMatch(/Secret|Diary|Private/);
    expect(await composing.tags()).toEqual([
      { tag: 'garden', notes: 2 },
      { tag: 'garden/beds', notes: 1 },
    ]);
    expect(await composing.headings('Private/Diary.md')).toEqual([]);
    expect(await composing.headings('Lists/Shopping.md')).toEqual([
      ...['Shopping', 'Later', 'Soon', 'Never'],
    ]);
    expect(
      await composing.existing(['Secret.md', 'Garden.md', 'Private', 'Lists', 'No.md']),
    ).toEqual(['Garden.md', 'Lists']);
  });
});

describe('the preview of a message', () => {
  const unsent = { text: 'Look.', conversation: null, activeNote: null };

  it('the preview counts each part before it is sent', async () => {
    const { composer: composing } = (await begin()).rig.agent;
    const outlook = await composing.estimate({
      ...unsent,
      attachments: [note('Lists/Shopping.md')],
    });
    expect(outlook.parts.map(({ name }) => name)).toEqual([
      ...['Your message', 'Date, mode and updates', 'Lists/Shopping.md'],
    ]);
    expect(outlook.message).toBe(outlook.parts.reduce((sum, { tokens }) => sum + tokens, 0));
    expect(outlook).toMatchObject({ history: 0, window: 200_000 });
    expect(outlook.fixed).toBeGreaterThan(1_000);
  });

  it('the preview counts earlier messages and sends nothing', async () => {
    const { disk, rig } = await begin();
    await rig.agent.queue.send({ text: 'Look.', attachments: [] });
    await rig.idle();
    const conversation = (await rig.agent.state()).current?.id ?? null;
    const before = disk.store.files.size;
    const { history } = await rig.agent.composer.estimate({
      ...unsent,
      conversation,
      attachments: [],
    });
    expect(history).toBeGreaterThan(0);
    expect(disk.store.files.size).toBe(before);
  });
});

describe('the active note', () => {
  it('the active note is the one when the message was sent, or none', async () => {
    const { disk, rig } = await begin();
    await rig.agent.queue.send({ text: 'Look.', activeNote: 'Garden.md' });
    const later = { text: 'Look.', when: 'after' } as const;
    await rig.agent.queue.send({ ...later, activeNote: null });
    await rig.agent.queue.send({ ...later, activeNote: 'Secret.md' });
    await rig.idle();
    const starts = eventsOn(disk, 'turn-start');
    expect(starts.map(({ activeNote }) => activeNote)).toEqual(['Garden.md', null, null]);
    expect(starts.map(({ context }) => /Active note/.test(context))).toEqual([true, false, false]);
  });

  it('the active note and attachments follow a move by the turn itself', async () => {
    const wanted = [
      call('move', { source: 'Garden.md', destination: 'Lists/Beds.md' }),
      call('move', { source: 'Lists/Todo.md', destination: 'Tasks.md' }),
      call('get_context', {}),
    ];
    const model = thinkingModel(({ history }) => {
      const next = wanted[history.filter(({ role }) => role === 'results').length];
      return next ? answers([next]) : says('Moved.');
    });
    const { disk } = await begin();
    const rig = makeRig({ ...disk, model });
    await rig.load();
    const attachments = [note('Lists/Todo.md')];
    await rig.agent.queue.send({ text: 'Move it.', activeNote: 'Garden.md', attachments });
    await rig.idle();
    const results = eventsOn(disk, 'call-end').map(({ result }) => result);
    const told = results.at(-1);
    expect(told?.text).toContain('Open note: Lists/Beds.md');
    expect(told?.text).toContain('1: Dig. #garden/beds');
    expect(told?.text).toContain('1: - call Ines #garden');
    expect(told?.details).toEqual({ kind: 'read', paths: ['Tasks.md', 'Lists/Beds.md'] });
  });
});

describe('a draft', () => {
  const draft = {
    text: 'Half a th',
    attachments: [note('Garden.md')],
    withoutNote: true,
    withoutSelection: false,
    imported: [],
  };
  const again = async (disk: Disk): Promise<Rig> => {
    const rig = makeRig(disk);
    await rig.load();
    return rig;
  };

  it('a draft is restored after a restart and removed once it is empty', async () => {
    const { disk, rig } = await begin();
    rig.agent.composer.keepDraft(null, draft);
    await rig.idle();
    await disk.clock.advance(1_000);
    const next = await again(disk);
    expect([...(await next.agent.composer.drafts())]).toEqual([['', draft]]);
    next.agent.composer.keepDraft(null, {
      ...draft,
      text: '',
      attachments: [],
      withoutNote: false,
    });
    await next.idle();
    await disk.clock.advance(1_000);
    expect([...(await (await again(disk)).agent.composer.drafts())]).toEqual([]);
  });

  it.each(['{"version":1,"drafts":{"":{"te', '[]', '{"version":7,"drafts":{"":{"text":"x"}}}', ''])(
    'a damaged draft file does not prevent the start: %s',
    async (saved) => {
      const { disk, rig } = await begin();
      await disk.store.write('plugin/drafts-device-1.json', saved);
      expect([...(await rig.agent.composer.drafts())]).toEqual([]);
    },
  );
});
