/**
 * Names of the files that open deletions are about, so that the user can say which one is meant:
 * "delete Garden" when Garden and Ideas wait for a decision.
 */
import { nameOf } from '#text/paths';
import type { InteractionId } from '#model/ids';
import type { Approval, ApprovalChoice } from '#model/interaction';
import { mayBeSpoken } from './yes-no-words';
import {
  hasRun,
  ordinaryWords,
  plainWords,
  politeEnd,
  spokenWords,
  type AssistantNames,
  type SpokenWords,
} from './spoken-words';

const MAX_NAME_WORDS = 5;
/** They may come before a name or after it. */
const ARTICLES = ['the', 'a', 'an', 'my', 'called', 'named'];
/** What the subject is, which may be said with its name. */
const FILE_WORDS = [...ARTICLES, 'note', 'file'];
const FOLDER_WORDS = [...ARTICLES, 'folder'];
/** Alone they name nothing. */
const EMPTY_WORDS = new Set([
  ...[...FILE_WORDS, ...FOLDER_WORDS],
  ...'it that this these those them one all both everything nothing'.split(' '),
]);

/**
 * The names of the approvals that speech can tell apart. One that has no clear name, or whose name
 * sounds like that of another or is part of it, is left out and can only be decided on screen.
 */
export function namesApart(
  approvals: readonly Approval[],
  assistant: AssistantNames,
): ReadonlyMap<InteractionId, string> {
  const subjects = approvals.flatMap(({ id, subject }) => {
    return subject === undefined ? [] : [{ id, subject, words: namingWords(subject) }];
  });
  return new Map(
    subjects.flatMap(({ id, subject, words }) => {
      const isAlike = subjects.some((other) => other.id !== id && areAlike(words, other.words));
      return isAlike || !isClear(subject, assistant) ? [] : [[id, spokenName(subject)] as const];
    }),
  );
}

/** What words say about one of several approvals. */
export interface NamedChoice {
  readonly approval: Approval;
  readonly choice: ApprovalChoice;
}

/**
 * The choice of words that name the choice and one of the subjects, and say nothing else. The name
 * counts as it is written, before "please", "now" or the assistant's name are taken off its end, and
 * null if what is taken off is the name of another one.
 */
export function namedChoice(
  { whole, isQuestion }: SpokenWords,
  approvals: readonly Approval[],
  assistant: AssistantNames,
): NamedChoice | null {
  const said = phraseOf(whole, assistant);
  if (!said || said.isContradicted || isQuestion) return null;
  for (const { name, rest } of endingsOf(said.name, assistant)) {
    const approval = approvals.find((each) => isNamed(each, name, assistant));
    if (!approval) continue;
    const isOther = approvals.some((other) => other !== approval && isIn(other, rest));
    const isPossible = approval.choices.includes(said.choice);
    return !isOther && isPossible && mayBeSpoken(said.choice, approval)
      ? { approval, choice: said.choice }
      : null;
  }
  return null;
}

/** Whether the words name a choice and the subject, even if they may also mean another subject. */
export function namesSubject(
  { whole }: SpokenWords,
  approval: Approval,
  assistant: AssistantNames,
): boolean {
  const said = phraseOf(whole, assistant);
  const endings = said ? endingsOf(said.name, assistant) : [];
  return endings.some(({ name }) => isNamed(approval, name, assistant));
}

interface NamedPhrase {
  readonly choice: 'delete' | 'keep';
  /** "No, delete it" says both. */
  readonly isContradicted: boolean;
  /** The words after the verb. */
  readonly name: readonly string[];
}

const VERBS: readonly (readonly [readonly string[], NamedPhrase['choice']])[] = [
  [['delete'], 'delete'],
  [['remove'], 'delete'],
  [['keep'], 'keep'],
  [["don't", 'delete'], 'keep'],
  [['do', 'not', 'delete'], 'keep'],
];

/** Null if anything but yes, no, the assistant's name and fillers comes before the verb. */
function phraseOf(whole: readonly string[], assistant: AssistantNames): NamedPhrase | null {
  for (const at of whole.keys()) {
    const found = VERBS.find(([verb]) => hasRun(whole.slice(at, at + verb.length), verb));
    if (!found) continue;
    const [verb, choice] = found;
    // A filler at the very end is no filler, so the verb has to follow.
    const before = spokenWords([...whole.slice(0, at), 'delete'].join(' '), assistant).words;
    const lead = before.slice(0, -1);
    if (!lead.every((word) => word === 'yes' || word === 'no')) return null;
    const isContradicted = lead.includes(choice === 'delete' ? 'no' : 'yes');
    return { choice, isContradicted, name: whole.slice(at + verb.length) };
  }
  return null;
}

/** The name as it was said, and then without one more of the polite words and names at its end. */
function endingsOf(
  words: readonly string[],
  assistant: AssistantNames,
): readonly { readonly name: readonly string[]; readonly rest: readonly string[] }[] {
  const endings: { name: readonly string[]; rest: readonly string[] }[] = [];
  let length = words.length;
  while (length > 0) {
    const name = words.slice(0, length);
    endings.push({ name, rest: words.slice(length) });
    const end = politeEnd(name, assistant);
    if (end === 0) break;
    length -= end;
  }
  return endings;
}

/** Whether the words are the name of the subject; with other words in it, its kind may be said. */
function isNamed(
  { subject }: Approval,
  words: readonly string[],
  assistant: AssistantNames,
): boolean {
  if (subject === undefined) return false;
  const name = plainWords(spokenName(subject));
  if (words.join(' ') === name.join(' ')) return true;
  const said = withoutKind(words, subject);
  const isOrdinary = ordinaryWords(name, assistant).length > 0;
  return isOrdinary && said !== '' && said === withoutKind(name, subject);
}

function isIn({ subject }: Approval, words: readonly string[]): boolean {
  return subject !== undefined && hasRun(words, plainWords(spokenName(subject)));
}

/** The name of the file without folder and extension. */
function spokenName(path: string): string {
  return nameOf(path).replace(EXTENSION, '');
}

const EXTENSION = /\.\w+$/;

/**
 * Whether speech can give the name as it is: without digits, which are heard in many forms, neither
 * too short nor too long, and not like "it now", which may mean any of them.
 */
function isClear(subject: string, assistant: AssistantNames): boolean {
  const name = spokenName(subject);
  const words = plainWords(name);
  const naming = words.filter((word) => !EMPTY_WORDS.has(word));
  const isLong = namingWords(subject).length > MAX_NAME_WORDS;
  if (isLong || !naming.some((word) => word.length > 1) || /\p{N}/u.test(name)) return false;
  const ordinary = ordinaryWords(words, assistant);
  return ordinary.length === 0 || ordinary.some((word) => !EMPTY_WORDS.has(word));
}

/** The words of the name that tell it from others. */
function namingWords(subject: string): readonly string[] {
  const kind = new Set([...FILE_WORDS, ...FOLDER_WORDS]);
  return plainWords(spokenName(subject)).filter((word) => !kind.has(word));
}

function withoutKind(words: readonly string[], subject: string): string {
  const kind = EXTENSION.test(subject) ? FILE_WORDS : FOLDER_WORDS;
  return words.filter((word) => !kind.includes(word)).join(' ');
}

/** Whether one of the names may be heard as the other, or as a part of it. */
function areAlike(some: readonly string[], others: readonly string[]): boolean {
  const [sound, other] = [soundOf(some.join('')), soundOf(others.join(''))];
  if (sound === '' || other === '') return false;
  if (sound.startsWith(other) || other.startsWith(sound)) return true;
  return soundsWithin(some, others) || soundsWithin(others, some);
}

/**
 * How spellings sound, roughly: words that a transcription may take for each other have the same
 * sound. Sounds are letters: consonants in a few groups, and "a" for a vowel at the start. Applied
 * in this order, each on the result of those before.
 */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^(?:kn|gn|pn)/, 'n'],
  [/^wr/, 'r'],
  [/^ps/, 's'],
  [/^x/, 's'],
  [/ph/g, 'f'],
  [/gh/g, ''],
  [/tch|dge?(?=[ei])|ch|sh|j|g(?=[eiy])|c(?=[eiy])|z/g, 's'],
  [/x/g, 'ks'],
  [/[cgq]/g, 'k'],
  [/b/g, 'p'],
  [/d/g, 't'],
  [/v/g, 'f'],
  [/m/g, 'n'],
  [/^h/, ''],
  [/^[aeiouy]/, 'A'],
  [/(?!^)[aeiouyhw]/g, ''],
  [/(.)\1+/g, '$1'],
];

/** Empty for a word without letters. */
function soundOf(word: string): string {
  const letters = word.normalize('NFD').replace(/[^\p{L}]/gu, '');
  const sound = SPELLINGS.reduce((text, [from, to]) => text.replace(from, to), letters);
  return sound.toLowerCase();
}

/** Whether the words sound like some of the others that follow each other. */
function soundsWithin(words: readonly string[], others: readonly string[]): boolean {
  const sounds = (all: readonly string[]) => all.map(soundOf).filter((sound) => sound !== '');
  return hasRun(sounds(others), sounds(words));
}
