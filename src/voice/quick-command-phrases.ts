/** The phrases that are commands which Parley carries out without a model. */
import { type QuickCommand, SLASH_COMMANDS } from '#model/quick-command';
import { type UserRequest, isSpoken } from '#model/request';
import { editPhraseOf } from './edit-phrases';
import { type AssistantNames, spokenWords } from './spoken-words';

/** Only what names due dates: a list without any is for the agent. */
const DUE =
  "what's due|what is due|whats due|what tasks are due|which tasks are due|which of my tasks are due|what do i have due|is anything due|is something due|anything due|do i have anything due|do i have any tasks due|are there any tasks due|tasks due|tell me what's due|tell me what is due";

const PHRASES: Readonly<Record<Exclude<QuickCommand, 'edits'>, string>> = {
  undo: 'undo|undo that|undo it|undo this|undo the last one|undo the last thing|undo my last request|undo the last request|undo what you did|undo what you changed|take that back|take it back|revert that|revert it|revert this|reverse that|reverse it|roll that back|roll it back',
  'undo-last-change':
    'undo the last change|undo the last edit|undo last change|undo your last change|revert the last change|revert your last change|roll back the last change',
  'what-changed':
    "what did you do|what did you do last|what have you done|what did you change|what have you changed|what changed|what's changed|what has changed|what was changed|what was your last change|what was the last change|what did you change last|what happened|what did you do to my notes|what did you write|tell me what you did|tell me what you changed|tell me what changed|show me what you did|show me what you changed",
  waiting:
    "what is waiting|what's waiting|whats waiting|what is still waiting|what's still waiting|what is waiting for me|what's waiting for me|what are you waiting for|what is pending|what's pending|what is open|is anything waiting|is something waiting|is anything pending|anything waiting|anything pending|what is in the queue|what's in the queue|what is queued|what are you doing|what are you working on|status",
  sources:
    "how do you know|how do you know that|how do you know this|how did you know that|where did you get that|where did you get that from|where is that from|where's that from|where does that come from|where did you find that|where did you read that|what is your source|what's your source|what are your sources|what is the source|what's the source|what are the sources",
  stop: "stop|stop it|stop that|stop this|stop working|stop right there|stop the request|stop at once|stop immediately|halt|abort|abort that|abort it|cancel|cancel it|cancel that|cancel this|cancel the request|cancel that request|cancel my request|that's enough|that is enough|enough",
  'stop-everything':
    'stop everything|stop all|stop it all|stop them all|stop all of them|stop all of it|stop all requests|stop all the requests|stop all my requests|stop all chats|stop all work|stop everything you are doing|cancel everything|cancel all|cancel it all|cancel them all|cancel all of them|cancel all requests|cancel all my requests|abort everything|abort all|halt everything|halt all',
  continue:
    'continue|continue it|continue that|continue with that|go on|go on with it|go on with that|keep going|carry on|resume|resume it|resume that|resume work|resume the request|pick it up again',
  'due-today': `what's due|what is due|anything due|${asked(DUE, 'today')}`,
  'due-tomorrow': asked(DUE, 'tomorrow'),
  'due-this-week': asked(
    DUE,
    'this week|for this week|by sunday|until sunday|for the rest of the week|in the rest of the week',
  ),
  overdue:
    "what's overdue|what is overdue|whats overdue|what tasks are overdue|which tasks are overdue|is anything overdue|is something overdue|anything overdue|do i have anything overdue|do i have any overdue tasks|are any tasks overdue|overdue tasks|my overdue tasks|what are my overdue tasks|tell me what's overdue|tell me what is overdue",
  remember:
    'remember it|remember that|remember this|yes remember it|yes remember that|yes remember this|yes please remember it|yes please remember that|keep that in mind|save it to the instructions|save that to the instructions|save it to my instructions|save that to my instructions',
};

/** Each beginning with each day. */
function asked(beginnings: string, days: string): string {
  const all = beginnings.split('|');
  return all.flatMap((words) => days.split('|').map((day) => `${words} ${day}`.trim())).join('|');
}

const COMMANDS: ReadonlyMap<string, QuickCommand> = new Map(
  Object.entries(PHRASES).flatMap(([command, all]) =>
    all.split('|').map((phrase) => [phrase, command as QuickCommand] as const),
  ),
);

/** Null for a request to the agent. */
export function quickCommandOf(
  { text, source, fork }: Pick<UserRequest, 'text' | 'source' | 'fork'>,
  names: AssistantNames,
): QuickCommand | null {
  // Regenerating the answer must not carry out a command again.
  if (fork) return null;
  if (isSpoken(source)) {
    const spoken = spokenWords(text, names);
    const said = spoken.words.join(' ').replace(/^(?:can|could|would|will) you /, '');
    return COMMANDS.get(said) ?? (editPhraseOf(spoken) ? 'edits' : null);
  }
  if (source !== 'typed') return null;
  const typed = text.trim().toLowerCase();
  const found = Object.entries(SLASH_COMMANDS).find(([, slash]) => slash === typed);
  return found ? (found[0] as QuickCommand) : null;
}
