/** What became of a tool call, in words before what it is about. */
import type { ToolCall } from '#model/conversation';
import { capitalize } from '#text/shorten';
import { CHOICE_WORDS, userChoice } from './result-text';
import { couldNot, didNot } from './tool-messages';
import { toolWords } from './tool-words';

/** For example "Reading", "Read" or "Could not read". */
export function callVerb(call: ToolCall): string {
  const { doing, act, done } = toolWords(call.part.name);
  if (call.state !== 'finished') return doing;
  const choice = userChoice(call);
  if (choice === 'kept') return CHOICE_WORDS.kept;
  if (choice) return `${CHOICE_WORDS[choice]}: ${act}`;
  if (!call.result.failed) return capitalize(done);
  return `${call.started === null ? didNot : couldNot} ${act}`;
}
