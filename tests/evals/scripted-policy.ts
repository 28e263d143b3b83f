/** A model that replies with one of the two scripts of a task. */
import { statusError } from '#workbench/model/faults';
import { reply } from '#workbench/model/replies';
import type { Answer, Respond } from '#workbench/model/server';
import { blocksOf, toolResults, withoutMarks, type WireMessage } from '#workbench/model/wire';

/**
 * Chooses the reply by the number of replies in the history, so that it goes on where a killed
 * program left off. A new chat goes on where the one before it ended. Every reply of a
 * script has a call, and the history has texts of its own. Requests without tools, for titles, get a
 * title.
 */
export function scriptedPolicy(replies: readonly Answer[]): Respond {
  let chat = { opening: '', before: 0 };
  let given = 0;
  return ({ messages, tools = [] }) => {
    if (tools.length === 0) return reply('A title');
    const opening = JSON.stringify(blocksOf(withoutMarks(messages[0]?.content)));
    if (opening !== chat.opening) chat = { opening, before: given };
    const count = chat.before + messages.filter(hasCall).length;
    given = count + 1;
    const next = replies[count];
    return next
      ? withIds(next, messages)
      : statusError(400, { message: `The script has ${replies.length} replies.` });
  };
}

/** Puts in the ids that `idOf` stands for. */
function withIds(answer: Answer, messages: readonly WireMessage[]): Answer {
  const script = JSON.stringify(answer);
  if (!script.includes('<id of ')) return answer;
  const lines = toolResults(messages).flatMap(({ text }) => text.split('\n'));
  const filled = script.replaceAll(/<id of ([^>]+)>/g, (whole, words: string) => {
    const line = lines.find((each) => each.includes(words) && /\bchange-/.test(each)) ?? '';
    return /\bchange-\w+/.exec(line)?.[0] ?? whole;
  });
  return JSON.parse(filled) as Answer;
}

function hasCall({ role, content }: WireMessage): boolean {
  return role === 'assistant' && blocksOf(content).some(({ type }) => type === 'tool_use');
}
