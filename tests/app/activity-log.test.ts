/** The log for bug reports: what happened, and nothing that anyone wrote. */
import { describe, expect, test } from 'vitest';
import { ActivityLog } from '#app/activity-log';
import { failure } from '#messages/failures';
import { DEFAULT_LOG_LEVELS, Log, type LogArea, type LogLevel } from '#model/log';
import { Script } from '#workbench/gallery/script';

const WRITTEN = 'zebra';

/** A turn in which every text from the user, the model or a note is the same word. */
function eventfulTurn(): Script {
  const script = new Script(WRITTEN).ask(WRITTEN).step();
  script.call('read_file', { path: WRITTEN }, WRITTEN, {
    details: { kind: 'read', paths: [WRITTEN] },
  });
  script.call(WRITTEN, { [WRITTEN]: WRITTEN }, WRITTEN, {
    failed: true,
    details: { kind: 'failed', why: 'unknown-tool' },
  });
  const { turn } = script;
  const fault = failure('overloaded', { detail: WRITTEN });
  script.write({ type: 'retry-start', turn, attempt: 1, of: 3, at: 0, failure: fault });
  script.write({ type: 'turn-notice', turn, text: WRITTEN });
  script.say(WRITTEN).done(WRITTEN);
  return script;
}

function logged(levels: Partial<Record<LogArea, LogLevel>> = {}, turns = 1): readonly string[] {
  const log = new Log(
    () => 0,
    () => ({ ...DEFAULT_LOG_LEVELS, ...levels }),
  );
  const activity = new ActivityLog({ log, isOwnTool: (name) => name === 'read_file' });
  for (let left = turns; left > 0; left -= 1)
    eventfulTurn().events.forEach((event) => activity.take(event));
  activity.connection({ kind: 'refused', reason: WRITTEN, remedy: WRITTEN, retryAt: null });
  activity.connection({ kind: 'connected', name: WRITTEN });
  activity.servers(new Map([[WRITTEN, { kind: 'down', reason: WRITTEN, words: WRITTEN }]]));
  return log.lines();
}

describe('the activity log', () => {
  test('the log says what happened, with kinds and counts', () => {
    const lines = logged().map((line) => line.replace(/^\S+ /, '').replace(/ ms=\d+/, ''));
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^requests info turn-start source=typed mode=\S+ attempt=1 files=0$/),
        'tools info call tool=read_file',
        'tools problem call tool=(other) why=unknown-tool',
        'model problem retry why=overloaded attempt=1 of=3',
        expect.stringMatching(/^requests info turn-end end=completed outcome=done/),
        'voice problem smarthole state=refused',
        'voice info smarthole state=connected',
        'mcp problem server server=1 state=down',
      ]),
    );
  });

  test('the log has no text that a user, a model, a note, a server or a tool wrote', () => {
    expect(logged().join('\n')).not.toContain(WRITTEN);
  });

  test('an area that is off is left out, and one with problems only shows only those', () => {
    const areas = (lines: readonly string[]) => new Set(lines.map((line) => line.split(' ')[1]));
    expect(areas(logged({ tools: 'off' }))).not.toContain('tools');
    const problems = logged({
      tools: 'problems',
      requests: 'off',
      model: 'off',
      voice: 'off',
      mcp: 'off',
    });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('tools problem call');
  });

  test('the log keeps the last 500 lines', () => {
    const lines = logged({}, 200);
    expect(lines).toHaveLength(500);
    expect(lines.at(-1)).toContain('state=down');
  });
});

test('a fact that is no code of Parley’s own is not written', () => {
  const log = new Log(
    () => 0,
    () => DEFAULT_LOG_LEVELS,
  );
  for (const word of ['two words', 'ä', 'a'.repeat(49), 'x=y', '', 'a\nb']) {
    log.add({ area: 'tools', what: 'call', facts: { tool: word } });
  }
  expect(new Set(log.lines().map((line) => line.split('tool=')[1]))).toEqual(new Set(['(other)']));
});
