/**
 * Names of the files that open deletions are about, so that the user can say which one is meant:
 * "delete Garden" when Garden and Ideas wait for a decision.
 */
import type { InteractionId } from './ids';
import type { Approval, ApprovalChoice } from './interaction';
import { plainWords, type SpokenWords } from './spoken-words';

const MAX_NAME_WORDS = 5;
/** They may come before a name or after it. */
const ARTICLES = new Set(['the', 'a', 'an', 'my', 'note', 'file', 'folder', 'called', 'named']);
/** Alone they name nothing. */
const PRONOUNS = new Set(
  'it that this these those them one all both everything nothing'.split(' '),
);

/**
 * The names of the approvals that speech can tell apart. One that has no clear name, or whose name
 * sounds like that of another, is left out and can only be decided on screen.
 */
export function namesApart(approvals: readonly Approval[]): ReadonlyMap<InteractionId, string> {
  const named = approvals.map(({ id, subject }) => {
    const name = subject === undefined ? null : nameOf(subject);
    return { id, name, sound: soundOf(name ?? '') };
  });
  return new Map(
    named.flatMap(({ id, name, sound }) => {
      const isAlike = named.some(
        (other) =>
          other.id !== id &&
          other.name !== null &&
          (sound.startsWith(other.sound) || other.sound.startsWith(sound)),
      );
      return name === null || isAlike ? [] : [[id, name] as const];
    }),
  );
}

/** The choice of words that name the choice and the subject, and say nothing else. */
export function namedChoice(
  { words }: SpokenWords,
  { subject, choices }: Approval,
): ApprovalChoice | null {
  const name = subject === undefined ? null : nameOf(subject);
  if (name === null) return null;
  const said = words.join(' ');
  const [, verb, rest = ''] =
    /^(?:(?:yes|no) )*(delete|keep|don't delete|do not delete) (.+)$/.exec(said) ?? [];
  if (verb === undefined || withoutArticles(plainWords(rest)) !== wordsOf(name)) return null;
  const choice = verb === 'delete' ? 'delete' : 'keep';
  const contradicts = choice === 'delete' ? /^(?:yes )*no /.test(said) : /^(?:no )*yes /.test(said);
  return choices.includes(choice) && !contradicts ? choice : null;
}

/**
 * The name of the file without folder and extension. Null if it has digits, which are heard in many
 * forms, or too few or too many words.
 */
function nameOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  const words = wordsOf(name).split(' ');
  const isClear = words.some((word) => word.length > 1 && !PRONOUNS.has(word));
  return isClear && words.length <= MAX_NAME_WORDS && !/\p{N}/u.test(name) ? name : null;
}

function wordsOf(name: string): string {
  return withoutArticles(plainWords(name));
}

function withoutArticles(words: readonly string[]): string {
  return words.filter((word) => !ARTICLES.has(word)).join(' ');
}

/** Letters that tell spoken names apart: no vowels after the first, and one letter for a sound. */
function soundOf(name: string): string {
  const letters = wordsOf(name)
    .normalize('NFD')
    .replace(/[^\p{L}]/gu, '')
    .replace(/ph/g, 'f')
    .replace(/ck|[cq]/g, 'k')
    .replace(/z/g, 's');
  const rest = letters.slice(1).replace(/[aeiouyhw]/g, '');
  return (letters.slice(0, 1) + rest).replace(/(.)\1+/g, '$1');
}
