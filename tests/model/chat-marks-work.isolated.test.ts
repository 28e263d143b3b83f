/** The names of a chat are collected once, however many marks its answers have. */
import { expect, test, vi } from 'vitest';
import { conversationNote } from '#app/conversation-export';
import { marksOfChat } from '#model/chat-marks';
import { reduceAll } from '#model/reducer';
import { noteName } from '#text/paths';
import { readSourceMark } from '#text/source-marks';
import { testClock } from '#tests/builders/fake-clock';
import { Script } from '#workbench/gallery/script';

vi.mock('#text/paths', { spy: true });

function namesCollected(run: () => unknown): number {
  const { calls } = vi.mocked(noteName).mock;
  calls.length = 0;
  run();
  return calls.length;
}

/** Each turn has read a note, and cites three passages of it. */
function chatOf(turns: number) {
  const script = new Script('a');
  for (let turn = 0; turn < turns; turn += 1) {
    const lines = [{ path: `Notes/N${turn}.md`, digest: 'x' }];
    script.ask(`Question ${turn}`).step();
    const read = script.prepare('read_file', {});
    script
      .start(read)
      .finish(read, { text: `1: N${turn}`, failed: false, lines })
      .step();
    script.say(`A [@N${turn}:1]. B [@N${turn}:2]. C [@N${turn}:3-4].`).done('A. B. C.');
  }
  return reduceAll(script.id, script.events);
}

test('a saved chat has the names of each turn collected once', () => {
  const save = (turns: number) => {
    const chat = chatOf(turns);
    return namesCollected(() => conversationNote(chat, testClock()));
  };
  expect(save(40)).toBeLessThanOrEqual(2 * save(20));
});

test('views of a chat share the names of its turns', () => {
  const { turns } = chatOf(20);
  const marks = [1, 2, 3].map((line) => readSourceMark(`[@N1:${line}]`)!);
  const judge = () => marks.map(marksOfChat(() => turns));
  expect(namesCollected(judge)).toBeGreaterThan(0);
  expect(namesCollected(judge)).toBe(0);
});
