/**
 * What a result says to the model is in no text outside of the chat: neither in an export nor in a
 * notification of SmartHole or the operating system.
 */
import { describe, expect, test } from 'vitest';
import { endTurn, type TurnOutcome } from '#agent/turn-ending';
import { awayNews } from '#app/away-notifications';
import { conversationNote } from '#app/conversation-export';
import { failure } from '#messages/failures';
import type { CallResult } from '#model/message';
import { foundItems, foundText, resultText } from '#messages/result-text';
import { reduceAll } from '#model/reducer';
import type { RequestSource } from '#model/request';
import { notificationOf } from '#voice/notifications';
import { announcementsOf } from '#voice/turn-replies';
import { Script } from '#workbench/gallery/script';
import { testClock } from '#tests/builders/fake-clock';
import { benchFor, runToolCase } from '#tests/builders/run-tool-case';
import { sampled } from '#tests/builders/sampled';
import { TOOL_CASES, type ToolCase } from '#tests/builders/tool-cases';

interface CaseResult {
  readonly toolCase: ToolCase;
  readonly result: CallResult;
}

/** Lines of a result that only the model reads; shorter ones may be in any text. */
function modelLines(cases: readonly CaseResult[]): string[] {
  const users = cases.flatMap(({ toolCase, result }) => [
    resultText(result),
    ...foundItems(result).items.map(foundText),
    JSON.stringify(toolCase.input),
  ]);
  const forUsers = users.join('\n');
  const lines = cases.flatMap(({ result }) => result.text.split('\n'));
  return lines.filter((line) => line.length > 25 && !forUsers.includes(line));
}

const ENDINGS: readonly TurnOutcome[] = [
  { kind: 'completed' },
  { kind: 'limited', reason: 'steps' },
  { kind: 'failed', failure: failure('overloaded') },
];

/** One turn that makes all calls and ends without a report of its own. */
async function turnOf(
  cases: readonly CaseResult[],
  source: RequestSource,
  ending: TurnOutcome,
): Promise<Script> {
  const script = new Script('a').ask('Do it', source).step();
  for (const { toolCase, result } of cases) {
    const { text, ...more } = result;
    script.call(toolCase.tool, { ...toolCase.input }, text, more);
  }
  const turn = () => {
    const [made] = reduceAll(script.id, script.events).turns;
    if (!made) throw new Error('No turn began.');
    return made;
  };
  await endTurn({ turn, record: async (event) => void script.write(event) }, ending);
  return script;
}

function spoken({ id, events }: Script): string {
  const [turn] = reduceAll(id, events).turns;
  const all = turn
    ? announcementsOf(turn, {
        conversation: id,
        phrasesOf: ({ id: key }) => ({ key, byVoice: false }),
        triesAgain: false,
      })
    : [];
  return JSON.stringify(
    all.map(({ reply, request }) => notificationOf(reply, { request, wireName: 'simone' })),
  );
}

function whileAway({ id, events }: Script): string {
  const conversation = reduceAll(id, events);
  const shown = events.flatMap((event) => awayNews(event, conversation) ?? []);
  return JSON.stringify(
    shown.map(({ reply, request }) => notificationOf(reply, { request, wireName: null })),
  );
}

describe('A result of a tool', () => {
  test('exports and notifications contain no line that a tool wrote for the model', async () => {
    const cases: CaseResult[] = [];
    for (const toolCase of sampled(TOOL_CASES, 30)) {
      cases.push({ toolCase, result: await runToolCase(toolCase) });
    }
    const lines = modelLines(cases);
    expect(lines.length).toBeGreaterThan(cases.length / 2);
    for (const ending of ENDINGS) {
      const voice = await turnOf(cases, 'voice', ending);
      const texts = [
        conversationNote(reduceAll(voice.id, voice.events), testClock()),
        spoken(voice),
        whileAway(await turnOf(cases, 'typed', ending)),
      ];
      const isSilent = ending.kind === 'completed';
      for (const [at, text] of texts.entries()) {
        const heard = isSilent ? /Done: Do it/ : /files were changed: /;
        expect(text).toMatch(at === 0 ? /hanged \[\[(?:Lists|Notes)\// : heard);
        expect(lines.filter((line) => text.includes(line))).toEqual([]);
      }
    }
  });

  test('approvals in notifications name no tool and no parameter', async () => {
    const names = TOOL_CASES.flatMap(({ tool }) => (tool.includes('_') ? [tool] : []));
    const tools = Object.fromEntries(TOOL_CASES.map(({ tool }) => [tool, 'ask'] as const));
    const script = new Script('a').ask('Do it').step();
    const asked = new Set<string>();
    for (const { tool, input } of TOOL_CASES) {
      if (asked.has(tool)) continue;
      const bench = await benchFor({ settings: { tools, commands: ['daily-notes'] } });
      const card = await bench.approvalOf(tool, input).catch(() => null);
      if (card === null) continue;
      asked.add(tool);
      script.hold(tool, { ...input }, card);
    }
    const shown = whileAway(script);
    expect(shown.match(/"title"/g)).toHaveLength(asked.size);
    expect(asked.size).toBeGreaterThan(25);
    expect(names.filter((name) => shown.includes(name))).toEqual([]);
    expect(shown).not.toMatch(/[a-z]_[a-z]+"?:/);
  });
});
