/** Non-interference: two vaults that differ only in hidden files answer every call alike. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ALL_TOOLS } from '#tools/all-tools';
import {
  callsOf,
  fill,
  FOLDERS,
  type HiddenFiles,
  INPUTS,
  twoVaults,
} from '../builders/hidden-files';
import { cases, CASES_TIMEOUT_MS } from '../cases';
import { Caller } from './caller';

/** These know nothing of notes. */
const APART = [
  ...['execute_command', 'web_search', 'read_webpage', 'plan', 'send_message', 'ask_user'],
  ...['get_conversation', 'undo_changes', 'done', 'end_conversation'],
];

const call = callsOf(() => true);

function caller(notes: readonly string[], hidden: HiddenFiles, mode: 'review' | 'apply'): Caller {
  const made = new Caller(Object.fromEntries(FOLDERS.map((each) => [each, ''])), {
    mode,
    settings: { excludedFolders: ['Private'], tools: { delete: 'allow' } },
  });
  fill(made.notes, notes, hidden);
  return made;
}

test('the law has calls of every tool that knows notes', () => {
  const known = [...Object.keys(INPUTS), ...APART];
  expect(known.sort()).toEqual(ALL_TOOLS.map((tool) => tool.name).sort());
});

const CALLS = 10;

test(
  'two vaults that differ only in hidden files answer all calls alike',
  async () => {
    const calls = fc.array(call, { minLength: CALLS, maxLength: CALLS });
    const mode = fc.constantFrom('review' as const, 'apply' as const);
    await fc.assert(
      fc.asyncProperty(twoVaults, calls, mode, async ({ notes, one, other }, all, inMode) => {
        const [first, second] = [caller(notes, one, inMode), caller(notes, other, inMode)];
        for (const [tool, input] of all) {
          const answers = [await first.call(tool, input), await second.call(tool, input)];
          expect(answers[0], JSON.stringify([tool, input])).toEqual(answers[1]);
        }
      }),
      { numRuns: Math.ceil(cases.numRuns / CALLS) },
    );
  },
  CASES_TIMEOUT_MS,
);
