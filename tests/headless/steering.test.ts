/** Messages sent during a turn, over real processes that are killed at recorded points. */
import { describe, expect, test } from 'vitest';
import { gate, slowStart } from '#workbench/model/faults';
import { call, reply } from '#workbench/model/replies';
import { persistent, scripted } from '#workbench/model/scripted';
import { blocksOf, withoutMarks } from '#workbench/model/wire';
import { INBOX, isEvent, isReplyTo, namesIn, openStage, recordedOf, type Scenario } from './driver';

const READ = call('read_file', { path: 'A.md' });
const FILES = { 'A.md': 'Tomatoes want warmth.\n' };

const begun = ({ vault }: Scenario) =>
  recordedOf(vault, 'turn-start').map(({ request }) => request.text);
const joined = ({ vault }: Scenario) =>
  recordedOf(vault, 'steer-join').map(({ request }) => request.text);
const ends = ({ vault }: Scenario) => recordedOf(vault, 'turn-end').map(({ end }) => end.kind);

describe('The send command during a turn', () => {
  test.each([
    [undefined, ['Read it.'], ['In French.'], ['completed']],
    ['steer', ['Read it.'], ['In French.'], ['completed']],
    ['after', ['Read it.', 'In French.'], [], ['completed', 'completed']],
    ['stop', ['Read it.', 'In French.'], [], ['stopped', 'completed']],
  ])(
    'with when %s, the message goes where it is meant to go',
    async (when, turns, joins, kinds) => {
      const shown = gate();
      const steps = [
        slowStart(reply('I look.', READ), shown.promise),
        reply('Voilà.'),
        reply('Oui.'),
      ];
      await using stage = await openStage(scripted(steps), FILES);
      const headless = await stage.start();
      await headless.send('send', { text: 'Read it.' });
      await headless.event('step-start');
      await headless.send('send', { text: 'In French.', ...(when ? { when } : {}) });
      shown.open();
      await headless.settled();
      expect(begun(stage)).toEqual(turns);
      expect(joined(stage)).toEqual(joins);
      expect(ends(stage)).toEqual(kinds);
      expect(namesIn(stage.vault, INBOX)).toEqual([]);
      expect(stage.server.violations).toEqual([]);
    },
  );

  test('a message that joins keeps the cached beginning of the prompt', async () => {
    const shown = gate();
    const steps = [slowStart(reply('I look.', READ), shown.promise), reply('Voilà.')];
    await using stage = await openStage(scripted(steps), FILES);
    const headless = await stage.start();
    await headless.send('send', { text: 'Read it.' });
    await headless.event('step-start');
    await headless.send('send', { text: 'In French.' });
    shown.open();
    await headless.settled();
    const [first, second] = stage.server.requests.map(({ body }) => body);
    expect(withoutMarks(second?.messages[0])).toEqual(first?.messages[0]);
    const blocks = blocksOf(second?.messages.at(-1)?.content);
    expect(blocks.map(({ type }) => type)).toEqual(['tool_result', 'text', 'text']);
    const usage = recordedOf(stage.vault, 'step-end').at(-1)?.usage;
    expect(usage?.cacheRead).toBeGreaterThan(0);
  });

  test('send refuses a delivery that does not exist', async () => {
    await using stage = await openStage(scripted([]));
    const headless = await stage.start();
    expect(await headless.send('send', { text: 'Hello', when: 'later' })).toMatchObject({
      ok: false,
    });
  });
});

describe('Killing the program while a message is pending', () => {
  const PLAN = ['A.md', 'B.md', 'C.md'].map((path) => ({
    name: 'write_file',
    input: { path: `Notes/${path}`, content: `# ${path}\n` },
  }));

  test.each([
    ['when the message is saved', isReplyTo('send'), 0],
    ['when the message has joined', isEvent('steer-join'), 0],
    ['2 ms after the message has joined', isEvent('steer-join'), 2],
    ['in the step that got the message', isEvent('step-start', ({ step }) => step === 3), 0],
    ['at the end of the turn', isEvent('turn-end'), 0],
  ])(
    'the message takes effect exactly once when the program is killed %s',
    async (_, at, delay) => {
      await using stage = await openStage(persistent(PLAN), FILES);
      const first = await stage.start();
      await first.send('send', { text: 'Write them.' });
      await first.event('step-start');
      first.write(JSON.stringify({ cmd: 'send', text: 'In French.', id: 'second' }));
      await first.killAt(at, delay);
      const wasSaved = first.lines.filter(isReplyTo('send')).length > 1;
      const last = await stage.start();
      await last.settled();
      const taken = [...begun(stage), ...joined(stage)];
      expect(taken.filter((text) => text === 'Write them.')).toHaveLength(1);
      expect(taken.filter((text) => text === 'In French.').length).toBeLessThanOrEqual(1);
      if (wasSaved) expect(taken).toContain('In French.');
      expect(ends(stage)).toHaveLength(begun(stage).length);
      expect(namesIn(stage.vault, 'Notes')).toEqual(['A.md', 'B.md', 'C.md']);
      expect(namesIn(stage.vault, INBOX)).toEqual([]);
      expect(stage.server.violations).toEqual([]);
    },
  );
});
