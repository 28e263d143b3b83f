/** How many tokens the next request will have, as far as that can be known before it is made. */
import type { Conversation, Step } from '#model/conversation';
import type { Part, Usage } from '#model/message';
import type { ViewableFile } from '#model/attachment';
import type { Prompt } from '#ports/model-provider';
import { summaryText, isSent, sentParts, historyView, type TurnView } from './model-history';

/** Of UTF-8, in one token: a cautious guess for prose, code and scripts of any kind. */
const BYTES_PER_TOKEN = 3;

export function estimateTokens(text: string): number {
  let bytes = text.length;
  // Counted, not encoded: of a long conversation there are millions, each time somebody looks.
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x80) bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2;
  }
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** What the server counted with the last step, and an estimate of what has come since; of everything where it counted nothing. */
export function promptTokens(conversation: Conversation, prompt: Prompt): number {
  const { turns, summary, basis } = historyView(conversation);
  let since = 0;
  for (const view of turns.toReversed()) {
    for (const step of view.steps.filter(isSent).toReversed()) {
      since += resultTokens(step);
      // What was counted under another prompt or history says nothing of this one.
      const counted = step.basis === basis ? allTokens(step.usage) : 0;
      if (counted > 0) return counted + since;
      since += partTokens(sentParts(step, basis));
    }
    since += requestTokens(view);
  }
  return since + fixedTokens(prompt) + (summary ? estimateTokens(summaryText(summary)) : 0);
}

/** What was said before, estimated alone: the share that it has of what was counted. */
export function historyTokens(conversation: Conversation): number {
  const { turns, summary } = historyView(conversation);
  const said = turns.map((view) =>
    view.steps.filter(isSent).reduce((sum, step) => sum + stepTokens(step), requestTokens(view)),
  );
  const before = summary ? estimateTokens(summaryText(summary)) : 0;
  return said.reduce((sum, tokens) => sum + tokens, before);
}

/** What is sent whatever the history. */
export function fixedTokens(prompt: Prompt): number {
  return estimateTokens(JSON.stringify(prompt));
}

/** The user's words, with what travels with them. */
export function requestTokens({ turn }: TurnView): number {
  return (
    estimateTokens(turn.context) +
    estimateTokens(turn.request.text) +
    shownTokens(turn.contextFiles)
  );
}

/** A step never changes: what happens in it makes another one. */
const known = new WeakMap<Step, number>();

/** A step under another basis than its own: its words, calls and results. */
export function stepTokens(step: Step): number {
  const tokens = known.get(step) ?? partTokens(sentParts(step, '')) + resultTokens(step);
  known.set(step, tokens);
  return tokens;
}

function resultTokens({ calls, notes }: Step): number {
  const results = calls.flatMap((call) => (call.state === 'finished' ? [call.result] : []));
  const texts = [...results.map(({ text }) => text), ...notes];
  return (
    texts.reduce((sum, text) => sum + estimateTokens(text), 0) +
    shownTokens(results.flatMap(({ shown = [] }) => shown))
  );
}

function shownTokens(shown: readonly ViewableFile[]): number {
  return shown.reduce((sum, { tokens }) => sum + tokens, 0);
}

function partTokens(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => {
    switch (part.type) {
      case 'text':
        return sum + estimateTokens(part.text);
      case 'call':
        return sum + estimateTokens(part.name + JSON.stringify(part.input));
      case 'thinking':
      case 'opaque':
        return sum + estimateTokens(JSON.stringify(part.raw) ?? '');
    }
  }, 0);
}

function allTokens({ input, output, cacheRead, cacheWrite }: Usage): number {
  return input + output + cacheRead + cacheWrite;
}
