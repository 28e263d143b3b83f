/** What became of a tool call, in words before what it is about. */
import type { ToolCall } from '#model/conversation';
import { capitalize } from '#text/shorten';
import { CHOICE_WORDS, userChoice } from './result-text';
import { couldNot, didNot } from './tool-messages';
import { proposedTo, toolWords } from './tool-words';

/** Whether all that the call changed waits for the user, or has waited. */
export function isOnlyProposed(call: ToolCall): boolean {
  const details = call.state === 'finished' ? call.result.details : undefined;
  return (
    details?.kind === 'changes' &&
    details.changes.length > 0 &&
    details.changes.every(({ proposes }) => proposes !== undefined)
  );
}

/** For example "Reading", "Read" or "Could not read". */
export function callVerb(call: ToolCall): string {
  const { doing, act, done } = toolWords(call.part.name);
  if (call.state !== 'finished') return doing;
  const choice = userChoice(call);
  if (choice === 'kept') return CHOICE_WORDS.kept;
  if (choice) return `${CHOICE_WORDS[choice]}: ${act}`;
  if (!call.result.failed) return capitalize(isOnlyProposed(call) ? proposedTo(act) : done);
  return `${call.started === null ? didNot : couldNot} ${act}`;
}
