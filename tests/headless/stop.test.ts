/**
 * Turns that the user stops: finished changes stay, cut answers are marked, and the next request to
 * the model is valid.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { gate, slowStart, stall } from '#workbench/model/faults';
import { call, paced, reply } from '#workbench/model/replies';
import { scripted } from '#workbench/model/scripted';
import {
  INBOX,
  isReplyTo,
  namesIn,
  visibleFilesIn,
  openStage,
  recordedOf,
  until,
  type Scenario,
  type State,
} from './driver';

const says = (text: string) => reply(text);
const replies = ({ vault }: Scenario) => recordedOf(vault, 'turn-end').map(({ end }) => end.reply);

/** Visible text of an answer that is still streaming. */
function liveText({ current }: State): string {
  const step = current?.turns.at(-1)?.steps.at(-1);
  return step?.live.map(({ text }) => text).join('') ?? '';
}

describe('The stop command', () => {
  const LONG = 'One word after another, and so on. '.repeat(200);

  test('stopping a streaming answer keeps its visible text marked as cut, and does not send it to the model', async () => {
    await using stage = await openStage(
      scripted([stall(paced(reply(LONG), { chunkBytes: 40 }), 5), says('Yes.')]),
    );
    const headless = await stage.start();
    await headless.send('send', { text: 'Tell me.' });
    await headless.event('step-start');
    while (liveText(await headless.state()).length < 100) await sleep(10);
    expect(await headless.send('stop')).toMatchObject({ ok: true });
    const { end } = await headless.event('turn-end');
    expect(end).toEqual({ kind: 'stopped', reply: 'Stopped.' });
    const [step] = recordedOf(stage.vault, 'step-end');
    expect(step?.stop).toBe('cut');
    const [part] = recordedOf(stage.vault, 'part-end');
    const text = part?.part.type === 'text' ? part.part.text : '';
    expect(text.length).toBeGreaterThan(100);
    expect(LONG.startsWith(text)).toBe(true);
    await headless.kill();
    const again = await stage.start();
    await again.send('send', { text: 'And now?' });
    await again.event('turn-end');
    await again.settled();
    expect(JSON.stringify(stage.server.requests.at(-1)?.body)).not.toContain('after another');
    expect(stage.server.violations).toEqual([]);
    expect(replies(stage)).toEqual(['Stopped.', 'Yes.']);
  });

  test('a turn that is stopped before the first token and killed ends exactly once', async () => {
    await using stage = await openStage(
      scripted([slowStart(says('Late.'), gate().promise), says('Late.')]),
    );
    const headless = await stage.start();
    await headless.send('send', { text: 'Tell me.' });
    await until(() => stage.server.requests.length === 1, 'the request');
    headless.write(JSON.stringify({ cmd: 'stop' }));
    await headless.killAt(isReplyTo('stop'));
    const again = await stage.start();
    await again.settled();
    expect(recordedOf(stage.vault, 'turn-end')).toHaveLength(1);
    expect(namesIn(stage.vault, INBOX)).toEqual([]);
    expect(stage.server.violations).toEqual([]);
  });

  test('stopping a step with several changes finishes the started one and fails the others', async () => {
    const content = 'A long line of a long note.\n'.repeat(100);
    await using stage = await openStage(
      scripted([
        reply(
          'Both.',
          call('write_file', { path: 'A.md', content }),
          call('write_file', { path: 'B.md', content }),
          call('read_file', { path: 'A.md' }),
        ),
        says('Yes.'),
      ]),
    );
    const headless = await stage.start({ pieces: { bytes: 500, pauseMs: 20 } });
    await headless.send('send', { text: 'Write.' });
    await headless.event('call-start');
    expect(await headless.send('stop')).toMatchObject({ ok: true });
    expect((await headless.event('turn-end')).end.kind).toBe('stopped');
    expect(visibleFilesIn(stage.vault)).toEqual({ 'A.md': content });
    expect(recordedOf(stage.vault, 'call-end').map(({ result }) => result.failed)).toEqual([
      false,
      true,
      true,
    ]);
    await headless.send('send', { text: 'And now?' });
    await headless.event('turn-end', ({ end }) => end.reply === 'Yes.');
    await headless.settled();
    expect(stage.server.violations).toEqual([]);
  });
});
