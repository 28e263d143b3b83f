/** Notifications and failures of SmartHole. */
import type { LimitReason } from '#model/event';

export const approvalInput = (name: string, text: string) => `${name}: ${text}`;
export const off = 'SmartHole is turned off';
export const connecting = 'Connecting to SmartHole…';
export const notRunning = 'SmartHole is not running';
export const notRunningDetail =
  'SmartHole is not running. Start it to use voice; Parley connects by itself.';
export const sayName = (name: string) => `Say “${name}, …”`;
export const connected = (name: string) =>
  `SmartHole is connected. Say “${name}, …” to speak to Parley.`;
export const refusedConnection = 'SmartHole refused the connection';
export const requestFailed = (detail: string) =>
  `A request from SmartHole could not be received. (${detail})`;
export const restInObsidian = 'The rest is in Obsidian.';
export const workingOn = 'Working on';
export const waitingForAnswer = 'Waiting for your answer';
export const stillWaiting = 'Still waiting';
export const answer = 'Answer';
export const kept = 'Kept';
export const declined = 'Declined';
export const proposed = 'Proposed';
export const requestsDone = (count: number) => `Done: ${count} requests`;
/** How titles begin that were shown moments ago, since SmartHole drops a second one. */
export const AGAIN = ['Again', 'Once more', 'And again', 'Also', 'And'] as const;
export const again = (lead: string, title: string) => `${lead}: ${title}`;
export const shownHere = 'Obsidian showed this instead of SmartHole.';
export const answerInChat = 'Answer in the chat.';
export const answerWith = (name: string) => `Say “${name}” and your answer.`;
export const spokenChoices = (name: string, phrases: readonly string[]) =>
  `Say ${phrases.map((phrase) => `“${name}, ${phrase}”`).join(' or ')}.`;
/** Such as "Shopping, Travel, or 2 more?"; only the first ones that fit. */
export function choicesText(choices: readonly string[], room: number): string {
  for (let shown = choices.length; shown > 0; shown -= 1) {
    const more = choices.length - shown;
    const named = choices.slice(0, shown);
    const left = more === 1 ? ['one more'] : more > 1 ? [`${more} more`] : [];
    const text = `${orOf([...named, ...left])}?`;
    if (text.length <= room) return text;
  }
  return choices.length === 0 ? '' : `There are ${choices.length} choices.`;
}
function orOf(items: readonly string[]): string {
  const first = items.slice(0, -1).join(', ');
  return first === '' ? (items[0] ?? '') : `${first}, or ${items.at(-1) ?? ''}`;
}
export const notCarriedOut = (words: string) => `Not carried out: “${words}”.`;
export const tooSoon = 'That came too soon to count. Say it again in a few seconds.';
/** @param subject what was decided, such as the name of a note; null if it has no name */
export const alreadyDecided = (subject: string | null, isLast: boolean) =>
  `${subject ?? 'That'} was already decided.${isLast ? ' No other decision is waiting.' : ''}`;
export const approvalsOpen = (count: number) => `${count} approvals are open.`;
export const voiceIsOff = 'Voice decisions are off, so decide in Obsidian.';
export const decideDeletionsInObsidian =
  'Deleting several files is never decided by voice, so decide in Obsidian.';
export const voiceDecisionsOff = (titles: string) =>
  `Voice decisions are off, so decide in Obsidian: ${titles}`;
export const willBeDeleted = (note: string) => `${note} will be deleted.`;
export const isKept = (note: string) => `${note} is kept.`;
export const decideInObsidian = 'Decide in Obsidian.';
export const toUndo = (name: string) => `Say “${name}, undo that” to take it back.`;
export const toContinue = (name: string) => `Say “${name}, continue” to go on.`;
/** Why a turn ended before the work was done, for a listener; '' where the title says it. */
export const SAID_LIMITS: Record<LimitReason, string> = {
  steps: 'The step limit was reached.',
  tokens: 'The token limit was reached.',
  'turn-money': 'The cost limit for one request was reached.',
  'day-money': 'The daily cost limit was reached.',
  stuck: 'The same call was repeated without progress.',
  'no-answer': '',
  output: 'The answer was too long and was cut off.',
};
export const connectBeforePairing =
  'SmartHole is not connected. Start it first, then allow voice decisions for that connection.';
export const repliesKeptAside = (path: string) =>
  `Some unsent replies for SmartHole could not be read. The file was kept as ${path}.aside.`;
export const repliesUnreadable = (error: string) =>
  `Unsent replies for SmartHole could not be read. ${error}`;
export const repliesNotSaved = (error: string) =>
  `Unsent replies for SmartHole could not be saved. ${error}`;
export const nameEmpty = 'The wake word is empty.';
export const nameTooLong = (length: number, limit: number) =>
  `The wake word is too long: ${length} characters. The limit is ${limit}.`;
export const nameCharacters =
  'The wake word may contain only letters from a to z, digits, "-" and "_".';
export const nameStart = 'The wake word must begin with a letter from a to z.';
export const routingEmpty = 'The routing description is empty.';
export const routingTooLong = (length: number, limit: number) =>
  `The routing description is too long: ${length} characters. The limit is ${limit}.`;
export const nameStep = 'Set another wake word in the settings: one word, such as "simone".';
export const routingStep = (limit: number) =>
  `Change the routing description in the settings; it can have up to ${limit} characters.`;
export const noPort = (port: number) => `${port} is not a valid port.`;
export const portStep = (port: number) =>
  `Set SmartHole’s port in the settings. It’s ${port} unless you changed it in SmartHole.`;
export const theName = 'the wake word';
export const theRouting = 'the routing description';
export const theRegistration = 'the registration';
export const registrationStep = 'Check the wake word and the routing description in the settings.';
export const nameTaken = (name: string) =>
  `Another program is registered with SmartHole as "${name}".`;
export const nameTakenStep =
  'Close the other one, such as a second vault, or set another wake word in the settings. Parley retries every minute.';
export const protocolStep =
  'Parley retries every minute. If it keeps failing, update SmartHole or Parley.';
export const refused = (what: string) => `SmartHole refused ${what}.`;
export const refusedBecause = (what: string, why: string) => `SmartHole refused ${what}: ${why}`;
/** What SmartHole is told about a message that is refused; contains nothing from the vault. */
export const saveTimedOut = 'Saving the request took too long.';
export const messageTooOld = 'The message came too late.';
export const messageWithoutText = 'The message has no text.';
export const messageEmpty = 'The message was empty.';
export const messageTooLong = 'The message was too long.';
export const messageNotSaved = 'The vault can’t be written to.';
export const inboxFull = 'Too many requests are waiting.';
export const requestNotSaved = 'The request could not be saved.';
