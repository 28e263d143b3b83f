/** Notifications and failures of SmartHole. */
import { stemOf } from '#text/paths';
import { firstNames } from './plural';

export const approvalInput = (name: string, text: string) => `${name}: ${text}`;
export const off = 'SmartHole is turned off in settings.';
export const connecting = 'Connecting to SmartHole.';
export const notRunning = 'not running';
export const notRunningDetail =
  'SmartHole isn’t running. Start it to use voice; Parley reconnects automatically.';
export const connected = (name: string) =>
  `SmartHole is connected. Say “${name}, …” to speak to Parley.`;
export const requestFailed = (detail: string) =>
  `A request from SmartHole could not be received. (${detail})`;
export const toReview = (paths: readonly string[]) =>
  `To review in Obsidian: ${firstNames(paths.map(stemOf), 2)}`;
export const openForRest = '… (open Obsidian for the rest)';
export const workingOn = 'Working on';
export const waitingForAnswer = 'Waiting for your answer';
export const waitingForApproval = 'Waiting for your approval';
export const answer = 'Answer';
export const kept = 'Kept';
export const declined = 'Declined';
export const requestsDone = (count: number) => `Done: ${count} requests`;
export const shownHere = 'Obsidian showed this instead of SmartHole.';
export const answerInChat = 'Answer in the chat.';
export const answerWith = (name: string) => `Answer with “${name}, …”`;
export const spokenChoices = (name: string, phrases: readonly string[]) =>
  phrases.map((phrase) => `“${name}, ${phrase}”`).join(' or ');
export const notCarriedOut = (words: string) => `Not carried out: “${words}”.`;
export const approvalsOpen = (count: number) => `${count} approvals are open.`;
export const decideDeletionsInObsidian =
  'Deleting several files is never decided by voice. Open Obsidian to decide.';
export const voiceDecisionsOff = (titles: string) =>
  `Voice decisions are off, so decide in Obsidian: ${titles}`;
export const willBeDeleted = (note: string) => `${note} will be deleted.`;
export const isKept = (note: string) => `${note} is kept.`;
export const decideInObsidian = 'Open Obsidian to decide.';
export const connectBeforePairing =
  'SmartHole is not connected. Start it first, then allow voice decisions for that connection.';
export const sayHow = (how: string) => `Say ${how}`;
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
export const messageNotSaved = 'It could not be saved.';
export const inboxFull = 'Too many requests are waiting.';
export const requestNotSaved = 'The request could not be saved.';
