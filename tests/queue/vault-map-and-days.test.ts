/** What the first message of a conversation, and of a day, says about the vault and the days. */
import { describe, expect, it } from 'vitest';
import type { ListedConversation } from '#ports/app/conversations-port';
import type { Conversation } from '#model/conversation';
import type { ConversationId } from '#model/ids';
import { DEFAULT_SETTINGS } from '#model/settings';
import { openingLines } from '#queue/vault-map-and-days';
import { Caller } from '#tests/policy/caller';
import { testClock } from '#tests/builders/fake-clock';
import { memoryStore } from '#tests/builders/fake-storage';
import { says, thinkingModel } from '#tests/builders/model-stream';
import { tinyVault } from '../edits/vault';
import { eventsOn, makeRig } from './app-on-disk';

/** Friday, 27 November 2026, in local time. */
const NOW = new Date(2026, 10, 27, 14, 30).getTime();

const MONTHS = { folder: 'Journal', dateFormat: 'YYYY/MM-DD', template: 'Templates/Day.md' };

interface World {
  readonly files: Readonly<Record<string, string>>;
  readonly daily?: typeof MONTHS;
  readonly excludedFolders?: readonly string[];
  readonly conversations?: readonly Partial<ListedConversation>[];
  readonly conversation?: Conversation;
}

async function opening({ files, daily, conversations = [], conversation, ...world }: World) {
  const settings = { ...DEFAULT_SETTINGS, ...world };
  const caller = new Caller({ ...files }, { settings });
  caller.metadata.daily = daily ?? null;
  const lines = await openingLines(conversation ?? null, {
    vault: caller.toolContexts.vault(),
    conversations: { list: async () => conversations as readonly ListedConversation[] },
    clock: { ...testClock(), now: () => NOW },
    settings,
  });
  return lines.join('\n');
}

function began(time: number): Conversation {
  return { id: 'conversation-1', turns: [{ started: time }] } as unknown as Conversation;
}

describe('The first message of a conversation', () => {
  it('a small vault is listed in full, by folder', async () => {
    const files = { 'Lists/Shopping.md': '', 'Lists/Todo.md': '', 'Ideas.md': '', 'a.png': '' };
    const text = await opening({ files });
    expect(text).toMatch(
      /All notes .*\n {2}\(root\): Ideas\n {2}Lists\/: (Shopping, Todo|Todo, Shopping)\n/,
    );
    expect(text).not.toContain('a.png');
  });

  it('a large vault is described by its top folders in about 300 tokens', async () => {
    const names = Array.from({ length: 3_000 }, (_, at): [string, string] => [
      `Folder ${at % 400}/Sub/Note ${at}.md`,
      '',
    ]);
    const text = await opening({ files: Object.fromEntries(names) });
    expect(text).toContain('The vault has 3,000 notes, by top folder: Folder ');
    expect(text).toMatch(/, and \d+ smaller folders\./);
    expect(text.length).toBeLessThan(2_000);
  });

  it('the map names no hidden notes', async () => {
    const files = { 'Private/Salary.md': '', 'Ideas.md': '' };
    expect(await opening({ files, excludedFolders: ['Private'] })).not.toMatch(/Private|Salary/);
  });

  it('the conversation before is named if it ended within hours', async () => {
    const earlier = (hours: number) => ({
      ...{ id: 'conversation-0' as ConversationId, own: true, quickEditsOf: null, openTurn: null },
      ...{ title: 'Reading list', updated: NOW - hours * 3_600_000 },
    });
    const files = { 'A.md': '' };
    expect(await opening({ files, conversations: [earlier(2)] })).toContain(
      'The conversation before this one ended 2 h ago: `Reading list`, id conversation-0.',
    );
    expect(await opening({ files, conversations: [earlier(20)] })).not.toContain('Reading list');
    const atWork = { ...earlier(0), openTurn: 'running' as const };
    expect(await opening({ files, conversations: [atWork] })).not.toContain('Reading list');
  });

  it('the budget is stated', async () => {
    expect(await opening({ files: {} })).toContain(
      '25 steps (each with any number of calls), 100,000 tokens',
    );
  });
});

describe('The first message of a day', () => {
  it('the days of this week and the next have their weekdays', async () => {
    expect(await opening({ files: {} })).toContain(
      'Days: Mon 2026-11-23, Tue 24, Wed 25, Thu 26, Fri 27 (today), Sat 28, Sun 29, Mon 30, Tue 2026-12-01, Wed 2, Thu 3, Fri 4, Sat 5, Sun 6.',
    );
  });

  it("the daily note is named as Obsidian's settings say", async () => {
    const empty = { 'Templates/Day.md': '' };
    for (const template of ['Templates/Day.md', '/Templates/Day'])
      expect(await opening({ files: empty, daily: { ...MONTHS, template } })).toContain(
        "Today's daily note: Journal/2026/11-27.md (does not exist yet; make it with apply_template from Templates/Day.md).",
      );
    const missing = "Today's daily note: Journal/2026/11-27.md (does not exist yet).";
    expect(await opening({ files: {}, daily: MONTHS })).toContain(missing);
    const hidden = { files: empty, daily: MONTHS, excludedFolders: ['Templates'] };
    expect(await opening(hidden)).toContain(missing);
    const template = { 'Templates/Day.md': '# {{title}}\n\n## Log\n\n## Tasks\n' };
    expect(await opening({ files: template, daily: MONTHS })).toContain(
      '(does not exist yet; make it with apply_template from Templates/Day.md; headings: ## Log, ## Tasks).',
    );
    const note = { 'Journal/2026/11-27.md': 'Rain.\n\n## Log\n' };
    expect(await opening({ files: note, daily: MONTHS })).toContain(
      "Today's daily note: Journal/2026/11-27.md (exists; headings: ## Log).",
    );
    expect(await opening({ files: {} })).not.toContain('daily note');
  });

  it('a daily note in a hidden folder is not named', async () => {
    expect(await opening({ files: {}, daily: MONTHS, excludedFolders: ['Journal'] })).not.toContain(
      'daily note',
    );
  });

  it('a conversation that goes on on another day learns of the days, and on the same day nothing', async () => {
    const files = { 'Ideas.md': '' };
    const later = await opening({ files, conversation: began(NOW - 86_400_000) });
    expect(later).toMatch(/^Days: .*$/);
    expect(await opening({ files, conversation: began(NOW - 3_600_000) })).toBe('');
  });
});

describe('A spoken request after a pause', () => {
  it('its new conversation has the last spoken exchange, and a typed request does not', async () => {
    const disk = {
      ...{ store: memoryStore(), vault: tinyVault({}), clock: testClock() },
      model: thinkingModel(() => says('One kilo of **flour** is on the list.')),
    };
    const rig = makeRig(disk);
    await rig.load();
    await rig.say('m1', 'Add one kilo of flour');
    await rig.idle();
    await disk.clock.advance(26 * 3_600_000);
    await rig.say('m2', 'Make that two kilos');
    await rig.idle();
    await rig.agent.conversations.create();
    await rig.agent.queue.send({ text: 'Hello' });
    await rig.idle();
    const [, spoken, typed] = eventsOn(disk, 'turn-start');
    expect(spoken?.conversation).not.toBe(eventsOn(disk, 'turn-start')[0]?.conversation);
    expect(spoken?.context).toMatch(
      /Last spoken exchange, 26 h ago, in the conversation \S+: the user said "Add one kilo of flour", you answered "One kilo of \*\*flour\*\* is on the list\."\./,
    );
    expect(typed?.context).not.toContain('Last spoken exchange');
  });

  it('its own conversation goes on without it', async () => {
    const disk = {
      ...{ store: memoryStore(), vault: tinyVault({}), clock: testClock() },
      model: thinkingModel(() => says('Done.')),
    };
    const rig = makeRig(disk);
    await rig.load();
    await rig.say('m1', 'Add one kilo of flour');
    await rig.idle();
    await disk.clock.advance(60_000);
    await rig.say('m2', 'Make that two kilos');
    await rig.idle();
    expect(eventsOn(disk, 'turn-start')).toHaveLength(2);
    expect(eventsOn(disk, 'turn-start')[1]?.context).not.toContain('Last spoken exchange');
  });
});
