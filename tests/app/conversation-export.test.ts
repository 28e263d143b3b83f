/**
 * Exporting a conversation to a note: it is complete, long parts are folded, and nothing in it
 * may run or load.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { reduceAll } from '#model/reducer';
import type { ConversationId } from '#model/ids';
import { savedSourcesIn } from '#model/saved-sources';
import { uncertainParts } from '#text/uncertain-text';
import { conversationNote } from '#app/conversation-export';
import { cases } from '../cases';
import { testClock } from '../builders/fake-clock';
import { call, answers, says, thinkingModel, words } from '../builders/model-stream';
import { passageOf } from '../builders/passages';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { Script } from '#workbench/gallery/script';
import { makeRig, type Disk } from '../queue/app-on-disk';

const NONE = 'conversation-none' as ConversationId;

const TEXTS = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
  fc.constantFrom(
    '```\ncode\n```',
    '````md\n```dataviewjs\ndv.list()\n```\n````',
    '```ai-edit\n{"id":"a","type":"add","before":"","after":"x"}\n```\n#ai_edit',
    '![](https://tracker.example/pixel.png)',
    '<iframe src="https://example.org"></iframe>',
    '---\ntitle: no\n---',
    '> [!example]- 1 step\n> - none',
    'An answer\n\n- with a list\n\n# and a heading',
  ),
);

const TURNS = fc.array(
  fc.record({ asked: TEXTS, said: TEXTS, results: fc.array(TEXTS, { maxLength: 3 }) }),
  { minLength: 1, maxLength: 4 },
);

type Turns = { asked: string; said: string; results: string[] }[];

function scriptOf(turns: Turns): Script {
  const script = new Script('export');
  for (const { asked, said, results } of turns) {
    script.ask(`You: ${asked}`).step();
    for (const result of results) script.call('read_file', { path: asked }, result);
    script.say(`Me: ${said}`).done(`Me: ${said}`);
  }
  return script;
}

/** The lines outside code and folds, as Markdown is read. */
function plainLines(note: string): string[] {
  let fence = '';
  return note.split('\n').filter((line) => {
    const ticks = /^(`{3,})/.exec(line)?.[1] ?? '';
    if (fence !== '') {
      if (ticks.length >= fence.length && line.trim() === ticks) fence = '';
      return false;
    }
    fence = ticks;
    return fence === '' && !line.startsWith('>');
  });
}

describe('a conversation exported to a note', () => {
  it('a message that joined a turn stands where it joined', () => {
    const script = new Script('export').ask('Tidy my list').step();
    script.call('read_file', { path: 'List.md' }, 'Text.').steer('But keep the dates', 'voice');
    script.step().say('Tidied.').done('Tidied.');
    const note = conversationNote(reduceAll(script.id, script.events), testClock());
    expect(note).toMatch(
      /^## You, [^]*## Parley, [^]*1 step[^]*## You, by voice, [^]*keep the dates[^]*## Parley, [^]*Tidied/m,
    );
  });

  it('the export reads as the chat does: work is folded and in words', () => {
    const script = new Script('export').ask('Where do I buy milk? Note it.').step();
    script.say('I look in your lists.');
    const item = { path: 'Lists/Shopping.md', line: 3, text: '- milk' };
    script.call('search_files', { pattern: 'milk', max_results: 5 }, 'FOR THE MODEL', {
      details: { kind: 'search', matches: 2, files: 1, found: { items: [item], isCut: false } },
    });
    script.call('read_file', { path: 'Lists/Shopping.md' }, 'FOR THE MODEL', {
      details: { kind: 'read', paths: ['Lists/Shopping.md'] },
    });
    script.stepEnd().step();
    script.call('read_file', { path: 'Shops.md' }, 'FOR THE MODEL', {
      ...{ failed: true, details: { kind: 'failed', why: 'missing' } },
    });
    const change = { change: 'c' as never, path: 'Lists/Shopping.md', added: 1, removed: 0 };
    const moved = { ...change, kind: 'move', to: 'Shopping.md', added: 0 } as const;
    script.call('edit_file', { path: 'Lists/Shopping.md', edits: [{ position: 'end' }] }, '', {
      details: { kind: 'changes', changes: [{ ...change, kind: 'write' }, moved] },
    });
    script.stepEnd().step().say('At the **corner shop**.').done('At the **corner shop**.');
    const note = conversationNote(reduceAll(script.id, script.events), testClock());
    const [, answer] = note.split(/^## Parley.*\n\n/m);
    expect(answer).toBe(`> [!example]- 4 steps
> I look in your lists.
>
> - Searched for “milk”: 2 matches in 1 note ([[Lists/Shopping]])
> - Read [[Lists/Shopping]]
> - Could not read Shops: It is not in the vault.
> - Changed [[Lists/Shopping]] (+1 −0)
> - Moved [[Lists/Shopping]] to [[Shopping]]

At the **corner shop**.
`);
  });

  it('a comment or formula that a message leaves open hides nothing below it', () => {
    const note = (...said: string[]) => {
      const script = new Script('export');
      for (const text of said) script.ask('And?').step().say(text).done(text);
      return conversationNote(reduceAll(script.id, script.events), testClock());
    };
    const stray = note('100%% sure.', 'Between.', 'It costs $$ 5.', 'Not `$$` but $$.');
    expect(stray).toContain('\n100\\%\\% sure.\n');
    expect(stray).toContain('\nIt costs \\$\\$ 5.\n');
    expect(stray).toContain('\nNot `$$` but \\$\\$.\n');
    expect(note('`%%` hides it.')).toContain('\n`%%` hides it.\n');
    for (const each of [stray, note('`%%` hides it.')]) expect(each).not.toContain('```');
  });

  it('an answer that names its notes before a colon keeps its links and sources', () => {
    const lines = '- **Never**: bindweed, blighted [[Tomatoes]]';
    const source = passageOf('Notes/Compost.md', `# Compost\n\n${lines}\n`, lines);
    const said = `- [[Compost]]: **Never**: bindweed, blighted [[Tomatoes]].[@${source.key}]
- [[Seed order]]: Related: [[Broad beans]]
- [[Committee]]: “Present: Ines, Nora.”`;
    const script = new Script('export').ask('And?').step().say(said).done(said);
    const state = reduceAll(script.id, script.events);
    const turns = state.turns.map((turn) => ({ ...turn, passages: [source] }));
    const note = conversationNote({ ...state, turns }, testClock());
    expect(note).not.toContain('```');
    expect(note).toMatch(/^- \[\[Compost\]\]: .*\.\[\^compost-3-\w+\]$/m);
    expect(note).toContain('\n- [[Seed order]]: Related: [[Broad beans]]\n');
    expect(savedSourcesIn(note)).toHaveLength(1);
  });

  it('the export has a heading for each message, and each call of a turn in one fold', () => {
    fc.assert(
      fc.property(TURNS, (turns) => {
        const state = reduceAll('conversation-export' as never, scriptOf(turns).events);
        const note = conversationNote(state, testClock());
        expect(plainLines(note).filter((line) => /^## You, /.test(line))).toHaveLength(
          turns.length,
        );
        expect(plainLines(note).filter((line) => /^## Parley, /.test(line))).toHaveLength(
          turns.length,
        );
        const folds = note.match(/^> \[!example\]- \d+ steps?$/gm) ?? [];
        expect(folds.map((line) => Number(/\d+/.exec(line)))).toEqual(
          turns.flatMap(({ results }) => (results.length > 0 ? [results.length] : [])),
        );
      }),
      cases,
    );
  });

  it('the export has the messages word for word, and valid properties', () => {
    fc.assert(
      fc.property(TURNS, (turns) => {
        const state = reduceAll('conversation-export' as never, scriptOf(turns).events);
        const note = conversationNote(state, testClock());
        for (const { asked, said } of turns) {
          expect(note).toContain(`You: ${asked}`.trim());
          expect(note).toContain(`Me: ${said}`.trim());
        }
        const [, properties = ''] = /^---\n([^]*?)\n---\n/.exec(note) ?? [];
        expect(parse(properties)).toMatchObject({
          conversation: 'conversation-export',
          title: state.title,
          sources: ['typed'],
        });
      }),
      cases,
    );
  });

  it('the export contains nothing that may run or load, and no proposal', () => {
    fc.assert(
      fc.property(TURNS, (turns) => {
        const state = reduceAll('conversation-export' as never, scriptOf(turns).events);
        const note = conversationNote(state, testClock()).replace(/^---\n[^]*?\n---\n/, '');
        const lines = plainLines(note);
        expect(uncertainParts(lines.join('\n'), () => null)).toEqual([]);
        expect(lines.join('\n')).not.toContain('ai-edit');
      }),
      cases,
    );
  });

  it('the export has no picture whose definition is in another message', () => {
    const script = new Script('apart').ask('Look.').step().say('![it][x]').done('![it][x]');
    script.ask('Where?').step().say('[x]: https://evil.example/p.png').done('Done.');
    const note = conversationNote(reduceAll(script.id, script.events), testClock());
    expect(uncertainParts(note, () => ({}))).toEqual([]);
    expect(note).toContain('```text\n![it][x]\n```');
  });

  it('the export has no code that begins a query, and no markup in the names of tools', () => {
    const script = new Script('names').ask('Do it.').step();
    script.call('x** ![p](https://evil.example) <b>', {}, ' $= dv.view("x")').done('Done.');
    const note = conversationNote(reduceAll(script.id, script.events), testClock());
    expect(note).not.toContain('$=');
    expect(note).toContain('> - Used x p(https://evil.example) b\n');
  });

  it('the export links to changed notes and says how incomplete turns ended', () => {
    const changes = [
      {
        change: 'change-1' as never,
        kind: 'write',
        path: 'Lists/Shopping.md',
        added: 1,
        removed: 0,
      },
    ] as const;
    const script = new Script('export').ask('Add milk', 'voice').step();
    script.call('edit_file', {}, 'Done.', { details: { kind: 'changes', changes } }).stepEnd();
    script.end({ kind: 'stopped', reply: 'Stopped.' });
    const note = conversationNote(reduceAll(script.id, script.events), testClock());
    expect(note).toContain('notes:\n  - "[[Lists/Shopping]]"');
    expect(note).toContain('> - Changed [[Lists/Shopping]] (+1 −0)');
    expect(note).toContain('## You, by voice, ');
    expect(note).toContain('> [!warning] Stopped\n> Stopped.');
  });
});

describe('exporting conversations', () => {
  async function exporting() {
    const disk: Disk = {
      store: memoryStore(),
      vault: tinyVault({ 'Hello.md': 'Mine.' }),
      clock: testClock(),
      model: thinkingModel(({ history }) =>
        history.length > 1 ? says('Yes.') : answers([words('I ask.'), call('plan', { steps: [] })]),
      ),
    };
    const rig = makeRig(disk);
    await rig.load();
    await rig.agent.queue.send({ text: 'Hello' });
    await rig.idle();
    return { disk, rig, id: (await rig.agent.state()).current!.id };
  }

  const toEnd = { signal: new AbortController().signal, progress: () => undefined };

  /** Adds a chat. */
  async function ask(rig: ReturnType<typeof makeRig>, text: string) {
    await rig.agent.conversations.create();
    await rig.agent.queue.send({ text });
    await rig.idle();
  }

  async function folderOf(rig: ReturnType<typeof makeRig>) {
    const plan = await rig.agent.conversations.exportPlan();
    if (!plan.ok) throw new Error(plan.reason);
    return plan.folder;
  }

  it('the export of one chat never overwrites an existing note', async () => {
    const { disk, rig, id } = await exporting();
    const exported = (folder: string) => rig.agent.conversations.export(id, folder);
    expect(await exported('')).toEqual({ ok: true, note: 'Hello 2.md' });
    expect(await exported('')).toMatchObject({ note: 'Hello 3.md' });
    expect(await exported('Chats/Old')).toMatchObject({ note: 'Chats/Old/Hello.md' });
    expect(await exported('Chats/Old')).toMatchObject({ note: 'Chats/Old/Hello 2.md' });
    expect(disk.vault.texts.get('Hello.md')).toBe('Mine.');
    expect(disk.vault.texts.get('Hello 2.md')).toContain('## You');
  });

  it('the export of all chats writes a note for each into the folder that was named', async () => {
    const { disk, rig } = await exporting();
    await ask(rig, 'CON');
    const plan = await rig.agent.conversations.exportPlan();
    expect(plan).toMatchObject({ ok: true, notes: 2 });
    const folder = await folderOf(rig);
    expect(folder).toMatch(/^Conversations \d{4}-\d\d-\d\d$/);
    const counts: string[] = [];
    const progress = (done: number, all: number) => void counts.push(`${done} of ${all}`);
    const done = await rig.agent.conversations.exportAll(folder, { ...toEnd, progress });
    expect(done).toEqual({ ok: true, notes: 2, all: 2, failed: [], stoppedBy: null });
    expect(counts).toEqual(['1 of 2', '2 of 2']);
    const made = [...disk.vault.texts.keys()].filter((path) => path !== 'Hello.md');
    expect(made).toEqual([`${folder}/Hello.md`, `${folder}/Conversation CON.md`]);
  });

  it('two exports of all chats overwrite nothing, even in one folder', async () => {
    const { disk, rig } = await exporting();
    const folder = await folderOf(rig);
    await rig.agent.conversations.exportAll(folder, toEnd);
    disk.vault.texts.set(`${folder}/Hello.md`, 'Edited by the user.');
    await rig.agent.conversations.exportAll(folder, toEnd);
    expect(disk.vault.texts.get(`${folder}/Hello.md`)).toBe('Edited by the user.');
    expect(disk.vault.texts.get(`${folder}/Hello 2.md`)).toContain('## You');
  });

  it('an export of all chats stops between two chats and says how far it came', async () => {
    const { disk, rig } = await exporting();
    await ask(rig, 'Second');
    await ask(rig, 'Third');
    const stop = new AbortController();
    const done = await rig.agent.conversations.exportAll('Out', {
      signal: stop.signal,
      progress: () => stop.abort(),
    });
    expect(done).toMatchObject({ notes: 1, all: 3, stoppedBy: 'user', failed: [] });
    expect([...disk.vault.texts.keys()].filter((path) => path.startsWith('Out/'))).toHaveLength(1);
  });

  it('a chat that cannot be written is named, and the others are exported', async () => {
    const { disk, rig } = await exporting();
    await ask(rig, 'Second');
    const { create } = disk.vault;
    disk.vault.create = async (path, text) =>
      path.includes('Hello')
        ? { ok: false, reason: { kind: 'disk', detail: 'EACCES', full: false } }
        : create.call(disk.vault, path, text);
    const done = await rig.agent.conversations.exportAll('Out', toEnd);
    expect(done).toMatchObject({
      ...{ notes: 1, all: 2, stoppedBy: null },
      failed: [{ title: 'Hello', reason: 'EACCES' }],
    });
  });

  it('a full disk ends the export of all chats', async () => {
    const { disk, rig } = await exporting();
    await ask(rig, 'Second');
    let tries = 0;
    disk.vault.create = async () => {
      tries += 1;
      return { ok: false, reason: { kind: 'disk', detail: 'ENOSPC', full: true } };
    };
    const done = await rig.agent.conversations.exportAll('Out', toEnd);
    expect(done).toMatchObject({ notes: 0, all: 2, stoppedBy: 'full disk' });
    expect(tries).toBe(1);
  });

  it('active content of a chat is code in the export of all chats, too', async () => {
    const { disk, rig } = await exporting();
    await ask(rig, 'See ![](https://tracker.example/pixel.png)');
    await rig.agent.conversations.exportAll('Out', toEnd);
    const note = [...disk.vault.texts].find(([, text]) => text.includes('tracker.example'))?.[1];
    expect(
      plainLines(note ?? '')
        .join('\n')
        .split('\n## ')[1],
    ).not.toContain('tracker');
    expect(note).toContain('```text\nSee ![](https://tracker.example/pixel.png)');
  });

  it('export reports when there is nothing to export or the disk refuses', async () => {
    const { disk, rig, id } = await exporting();
    expect(await rig.agent.conversations.export(NONE, '')).toMatchObject({ ok: false });
    disk.vault.create = async () => ({
      ok: false,
      reason: { kind: 'disk', detail: 'ENOSPC', full: true },
    });
    const next = makeRig(disk);
    await next.load();
    expect(await next.agent.conversations.export(id, '')).toMatchObject({
      ok: false,
      reason: expect.stringContaining('ENOSPC') as string,
    });
  });
});
