/** What spoken words say about pending edits, such as "accept it" or "reject the second". */
import type { SpokenWords } from './spoken-words';

export interface EditPhrase {
  readonly verb: 'accept' | 'reject' | 'read';
  /** `it`: the only one. A number counts from 1, and -1 is the last one. */
  readonly which: 'it' | 'all' | number;
}

const VERBS: Readonly<Record<string, EditPhrase['verb']>> = {
  accept: 'accept',
  apply: 'accept',
  reject: 'reject',
  discard: 'reject',
};
const ONE = new Set(['', 'it', 'that', 'this', 'the edit', 'the change', 'this edit', 'that edit']);
const ALL = new Set(
  'all|everything|them|them all|both|all of them|all of it|it all|the edits|the changes|all edits|all changes|all the edits|all the changes|both edits|both of them'.split(
    '|',
  ),
);
const NUMBERS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];
const CARDINALS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
const NUMBERED =
  /^(?:the )?(\w+)(?: (?:one|edit|change))?$|^(?:the )?(?:edit|change|number) (\w+)$/;

const READ = new Set(
  'what are the edits|what is the edit|what are the changes|what would change|what would you change|what does it change|what do they change|what did you propose|what do you propose|what is proposed'.split(
    '|',
  ),
);

/** Null for other words. A question about accepting or rejecting asks to hear the edits. */
export function editPhraseOf({ words, isQuestion }: SpokenWords): EditPhrase | null {
  const said = words.join(' ').replace(/^(?:(?:yes|yeah|ok|okay|sure) )+/, '');
  if (READ.has(said.replace("what's", 'what is'))) return { verb: 'read', which: 'all' };
  const [first = '', ...rest] = said.replace(/ (?:yes|yeah)$/, '').split(' ');
  const read = /^read (?:me )?(.*?)(?: out| aloud)?(?: to me)?$/.exec(said);
  const which = whichOf(read ? read[1]! : rest.join(' '));
  if (which === null) return null;
  if (read) return { verb: 'read', which: which === 'it' ? 'all' : which };
  const verb = VERBS[first];
  if (verb === undefined) return null;
  return isQuestion ? { verb: 'read', which: 'all' } : { verb, which };
}

function whichOf(object: string): EditPhrase['which'] | null {
  if (ONE.has(object)) return 'it';
  if (ALL.has(object)) return 'all';
  const found = NUMBERED.exec(object);
  const word = found?.[1] ?? found?.[2] ?? '';
  if (word === 'last') return -1;
  const at = found?.[1] ? NUMBERS.indexOf(word) : CARDINALS.indexOf(word);
  return at === -1 ? null : at + 1;
}
