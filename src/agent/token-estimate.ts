/** Estimates how many tokens the next request has before it is sent. */
import type { Conversation, SteeringMessage, Step, Turn } from '#model/conversation';
import type { Part, Usage } from '#model/message';
import type { ViewableFile } from '#model/attachment';
import type { Prompt } from '#ports/model-provider';
import { summaryText, isSent, sentParts, historyView, type HistoryTurn } from './model-history';

/** UTF-8 bytes. A cautious guess for prose, code and any script. */
const BYTES_PER_TOKEN = 3;

export function estimateTokens(text: string): number {
  let bytes = text.length;
  // Counts the bytes without encoding: a long conversation has millions of characters, and
  // estimates are frequent.
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x80) bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2;
  }
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/**
 * The server's count for the last step plus an estimate of everything since. Without a count,
 * everything is estimated.
 */
export function promptTokens(conversation: Conversation, prompt: Prompt): number {
  const { turns, summary, basis } = historyView(conversation);
  let since = 0;
  for (const view of turns.toReversed()) {
    for (const step of view.steps.filter(isSent).toReversed()) {
      since += resultTokens(step) + steeringTokens(view.turn, ({ step: at }) => at === step.index);
      // A count under another prompt or history does not apply to this one.
      const counted = step.basis === basis ? allTokens(step.usage) : 0;
      if (counted > 0) return counted + since;
      since += partTokens(sentParts(step, basis));
    }
    since += requestTokens(view);
  }
  return since + fixedTokens(prompt) + (summary ? estimateTokens(summaryText(summary)) : 0);
}

/** An estimate of the history alone, without the system prompt and the tools. */
export function historyTokens(conversation: Conversation): number {
  const { turns, summary } = historyView(conversation);
  const texts = turns.map((view) =>
    view.steps
      .filter(isSent)
      .reduce((sum, step) => sum + stepTokens(step), requestTokens({ ...view, steps: [] })),
  );
  const before = summary ? estimateTokens(summaryText(summary)) : 0;
  return texts.reduce((sum, tokens) => sum + tokens, before);
}

/** The system prompt and the tools, which every request includes. */
export function fixedTokens(prompt: Prompt): number {
  return estimateTokens(JSON.stringify(prompt));
}

/** The user's words, with their context and files: all that precede the steps of the view. */
export function requestTokens({ turn, steps }: HistoryTurn): number {
  return (
    estimateTokens(turn.context) +
    estimateTokens(turn.request.text) +
    shownTokens(turn.contextFiles) +
    steeringTokens(turn, ({ step }) => !steps.some(({ index }) => index === step))
  );
}

function steeringTokens({ steering }: Turn, counts: (each: SteeringMessage) => boolean): number {
  return steering.filter(counts).reduce((sum, { context, text, contextFiles }) => {
    return sum + estimateTokens(context) + estimateTokens(text) + shownTokens(contextFiles);
  }, 0);
}

/** Keyed by step, because a step is immutable: every event creates a new object. */
const stepTokenCache = new WeakMap<Step, number>();

/**
 * The text, calls and results of a step, without the parts that are sent only under its own basis.
 */
export function stepTokens(step: Step): number {
  const tokens = stepTokenCache.get(step) ?? partTokens(sentParts(step, '')) + resultTokens(step);
  stepTokenCache.set(step, tokens);
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
