/** What is due, asked without a model. */
import { describe, expect, it } from 'vitest';
import { MAX_SAID_CHARS } from '#model/reply';
import type { NoteKey } from '#ports/metadata';
import { NO_METADATA } from '../builders/fake-metadata';
import { testClock } from '../builders/fake-clock';
import { says, thinkingModel } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { eventsOn, heardOf, makeRig, type Posted } from './app-on-disk';

/** Friday, January 15, 2027. */
const START = 1_800_000_000_000;
const DAILY = { folder: 'Daily', dateFormat: 'YYYY-MM-DD', template: null };

async function start(files: Record<string, string>, rules: object = {}) {
  let calls = 0;
  let sent = '';
  const disk = {
    ...{ store: memoryStore(), vault: tinyVault(files), clock: testClock({ start: START }) },
    posted: new Map<string, Posted>(),
    model: thinkingModel(({ history }) => {
      calls += 1;
      sent = history.flatMap((each) => (each.role === 'user' ? each.texts : [])).join('\n');
      return says('Asked the model.');
    }),
    metadata: {
      ...NO_METADATA,
      notesBy: async (kind: NoteKey) =>
        new Map(kind === 'task' ? [[' ', new Set(Object.keys(files))]] : []),
      dailyNotes: async () => DAILY,
      format: (time: number) => new Date(time).toISOString().slice(0, 10),
    },
    ...rules,
  };
  const rig = makeRig(disk);
  await rig.load();
  await rig.idle();
  let messages = 0;
  return {
    calls: () => calls,
    sent: () => sent,
    vault: disk.vault,
    async say(text: string) {
      messages += 1;
      const id = `m${messages}`;
      await rig.say(id, text);
      await rig.idle();
      return [...disk.posted]
        .filter(([key]) => key.startsWith(`${id} `))
        .map(([, posted]) => heardOf(posted))
        .join('\n');
    },
    async type(text: string) {
      await rig.agent.queue.send({ text });
      await rig.idle();
      return eventsOn(disk, 'turn-end').at(-1)?.end.reply;
    },
  };
}

const VAULT = {
  'House.md':
    '- [ ] pay [[Rent|the rent]] #home 📅 2027-01-15\n- [ ] call Ann ⏫ [due:: 2027-01-15]\n- [x] sow 📅 2027-01-15\n```\n- [ ] code 📅 2027-01-15\n```\n',
  'Work.md':
    '- [ ] taxes 📅 2027-01-03\n- [ ] plan the trip ⏳ 2027-01-16\n- [ ] someday\n- [-] never 📅 2027-01-15\n- [ ] report 📅 2027-01-17\n- [ ] later 📅 2027-01-18\n',
  'Daily/2027-01-15.md': '- [ ] buy stamps\n',
};

describe('what is due', () => {
  it.each([
    [
      "What's due today?",
      "2 due today: Call Ann and pay the rent. 1 overdue: Taxes. 1 without a date in today's note: Buy stamps.",
    ],
    ['Simone, do I have anything due tomorrow?', '1 due tomorrow: Plan the trip.'],
    [
      'Can you tell me what is due this week?',
      '4 due by Sunday: Call Ann today, pay the rent today, plan the trip tomorrow, and report on Sunday. 1 overdue: Taxes.',
    ],
    ['What is overdue?', '1 overdue: Taxes.'],
  ])('"%s" is answered without a model', async (words, answer) => {
    const app = await start(VAULT);
    expect(await app.say(words)).toBe(answer);
    expect(app.calls()).toBe(0);
  });

  it('a slash command asks the same', async () => {
    const app = await start(VAULT);
    expect(await app.type('/due-today')).toMatch(/^2 due today/);
    expect(app.calls()).toBe(0);
  });

  it('the chat lists the tasks with links and lines, from which the agent goes on', async () => {
    const app = await start(VAULT);
    const list = '1 overdue:\n\n- Taxes (2027-01-03, [[Work]], line 1)';
    expect(await app.type('/overdue')).toBe(list);
    await app.type('Move that to Friday.');
    expect(app.sent()).toContain(list);
  });

  it('a note is read again when it has changed', async () => {
    const app = await start(VAULT);
    expect(await app.say('what is overdue')).toBe('1 overdue: Taxes.');
    app.vault.texts.set('Work.md', '- [ ] taxes 📅 2027-01-03\n- [ ] dentist 📅 2027-01-04\n');
    expect(await app.say('what is overdue')).toBe('2 overdue: Taxes and dentist.');
  });

  it('nothing due is said, and other words go to the model', async () => {
    const app = await start({ 'A.md': '- [ ] a\n' });
    expect(await app.say("what's due today")).toBe('Nothing is due today.');
    expect(await app.say('is anything overdue')).toBe('Nothing is overdue.');
    expect(app.calls()).toBe(0);
    await app.say('What is due today for the garden?');
    expect(app.calls()).toBeGreaterThan(0);
  });

  it('many long titles are shortened, and then only counted', async () => {
    const tasks = (title: string, due: string) => `- [ ] ${title} 📅 ${due}\n`.repeat(9);
    const long =
      'a very long title that goes on and on without an end in sight, and then some more';
    const app = await start({
      'A.md': Array.from({ length: 9 }, (_, at) => tasks(`${at} ${long}`, '2027-01-15')).join(''),
      'B.md': Array.from({ length: 9 }, (_, at) => tasks(`${at} ${long}`, '2027-01-14')).join(''),
    });
    const answer = await app.say("what's due today");
    expect(answer).toMatch(/^81 due today: 0 a very.*81 overdue: /);
    expect(answer.length).toBeLessThanOrEqual(MAX_SAID_CHARS);
  });

  it('tasks of hidden notes are not named', async () => {
    const app = await start(VAULT, { settings: { excludedFolders: ['Daily'], excludedTag: '' } });
    expect(await app.say("what's due today")).not.toContain('stamps');
  });
});
