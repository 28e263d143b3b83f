/**
 * Names of the files that open deletions are about, so that the user can say which one is meant:
 * "delete Garden" when Garden and Ideas wait for a decision.
 */
import type { InteractionId } from './ids';
import type { Approval, ApprovalChoice } from './interaction';
import {
  hasRun,
  plainWords,
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
      return isAlike || !isClear(subject, assistant) ? [] : [[id, nameOf(subject)] as const];
    }),
  );
}

/** The choice of words that name the choice and the subject, and say nothing else. */
export function namedChoice(
  { words, whole }: SpokenWords,
  { subject, choices }: Approval,
): ApprovalChoice | null {
  if (subject === undefined) return null;
  const said = phraseOf(words);
  if (!said || !hasRun(whole, [...said.verb, ...said.name])) return null;
  const name = withoutKind(said.name, subject);
  if (name === '' || name !== withoutKind(plainWords(nameOf(subject)), subject)) return null;
  const all = words.join(' ');
  const contradicts =
    said.choice === 'delete' ? /^(?:yes )*no /.test(all) : /^(?:no )*yes /.test(all);
  return choices.includes(said.choice) && !contradicts ? said.choice : null;
}

/** Whether the words name a choice and the subject, even if they may also mean another subject. */
export function namesSubject(
  { words, whole }: SpokenWords,
  { subject }: Approval,
  assistant: AssistantNames,
): boolean {
  const said = phraseOf(words);
  if (subject === undefined || !said) return false;
  const name = nameOf(subject);
  const heard = phraseOf(spokenWords(`delete ${name}`, assistant).words)?.name ?? [];
  const [fromSpeech, fromName] = [withoutKind(said.name, subject), withoutKind(heard, subject)];
  if (fromSpeech === '' || fromSpeech !== fromName) return false;
  // A filler may be a part of either name, so the words must also be there as they are written.
  return hasRun(
    whole.filter((word) => !EMPTY_WORDS.has(word)),
    [...said.verb, ...plainWords(name)].filter((word) => !EMPTY_WORDS.has(word)),
  );
}

interface NamedPhrase {
  readonly choice: 'delete' | 'keep';
  readonly verb: readonly string[];
  /** The words after the verb. */
  readonly name: readonly string[];
}

function phraseOf(words: readonly string[]): NamedPhrase | null {
  const [, verb, name] =
    /^(?:(?:yes|no) )*(delete|keep|don't delete|do not delete) (.+)$/.exec(words.join(' ')) ?? [];
  if (verb === undefined || name === undefined) return null;
  const choice = verb === 'delete' ? 'delete' : 'keep';
  return { choice, verb: verb.split(' '), name: name.split(' ') };
}

/** The name of the file without folder and extension. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(EXTENSION, '');
}

const EXTENSION = /\.\w+$/;

/**
 * Whether speech can give the name as it is: without digits, which are heard in many forms, without
 * words that are taken for fillers, and neither too short nor too long.
 */
function isClear(subject: string, assistant: AssistantNames): boolean {
  const name = nameOf(subject);
  const words = plainWords(name);
  const naming = words.filter((word) => !EMPTY_WORDS.has(word));
  const isLong = namingWords(subject).length > MAX_NAME_WORDS;
  if (isLong || !naming.some((word) => word.length > 1) || /\p{N}/u.test(name)) return false;
  return spokenWords(`delete ${name}`, assistant).words.join(' ') === `delete ${words.join(' ')}`;
}

/** The words of the name that tell it from others. */
function namingWords(subject: string): readonly string[] {
  const kind = new Set([...FILE_WORDS, ...FOLDER_WORDS]);
  return plainWords(nameOf(subject)).filter((word) => !kind.has(word));
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
