/** Words that decide an approval, typed or spoken. */
import {
  declineChoice,
  grantChoice,
  isDeletionOfSeveral,
  isGrant,
  isLong,
  type Approval,
  type ApprovalChoice,
} from '#model/interaction';
import { hasRun, isLikelyRequest, type SpokenWords } from './spoken-words';

const YES = phrases(
  "yes|y|yes yes|yep|yeah|yup|sure|sure thing|absolutely|definitely|certainly|of course|do it|do that|do so|go ahead|go for it|i'm sure|i am sure|i confirm|confirm|confirmed|ok|okay|alright|all right|fine|right|correct|exactly|you can|you may|ja|ja bitte|oui|si|sí|sim|da|hai|jo|tak|genau|natürlich|claro|certo|bien sûr|d'accord|vale",
);
/** May come before a phrase of the same choice, and mean nothing alone. */
const LEADS = phrases(
  "go ahead and|you can|you may|you should|i want you to|i'd like you to|i would like you to|let's|do|then",
);
/** The same after a phrase. */
const TRAILS = phrases("for me|right away|right now|at once|for good|it's fine|that's fine");
/** May come before another phrase; the rest of `NO` is a whole answer. */
const NO_LEADS = phrases('no|n|nope|nah|no no|nein|non|não|nej|nee');
const NO = phrases(
  "no thanks|no thank you|don't|dont|do not|don't do it|do not do it|don't do that|cancel|cancel it|cancel that|never mind|forget it|leave it|not that|rather not|better not|i'd rather not|absolutely not|certainly not|definitely not|of course not",
);

const OBJECTS = phrases(
  'it|that|this|them|it all|that one|this one|the note|this note|that note|the file|this file|that file|the folder|this folder',
);
/** The words that decide: an approval is granted by nothing else. "It" may be left out. */
const VERBS: Readonly<Record<ApprovalChoice, readonly string[]>> = {
  delete: ['delete', 'remove', 'erase', 'trash', 'get rid of'],
  keep: ['keep', "don't delete", 'do not delete', 'never delete', "don't remove", 'do not remove'],
  'allow-once': ['allow', 'i allow', 'approve', 'i approve'],
  always: ['always allow'],
  deny: [
    ...['deny', 'decline', 'refuse', 'reject'],
    ...["don't allow", 'do not allow', "don't approve", 'do not approve'],
  ],
};
const WHOLE: Readonly<Partial<Record<ApprovalChoice, ReadonlySet<string>>>> = {
  delete: phrases('throw it away|throw that away|throw this away'),
  keep: phrases('leave it alone|leave it there'),
  'allow-once': phrases('allow once|allow it once'),
};

function names(choice: ApprovalChoice, text: string): boolean {
  if (WHOLE[choice]?.has(text)) return true;
  return VERBS[choice].some(
    (verb) =>
      text === verb || (text.startsWith(`${verb} `) && OBJECTS.has(text.slice(verb.length + 1))),
  );
}

/** Null for any other text, which declines the approval and becomes the user's next message. */
export function typedChoice(text: string, approval: Approval): ApprovalChoice | null {
  const words = text
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/[.,:;!]/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && word !== 'please');
  return choiceBy(words, approval)?.choice ?? null;
}

/**
 * The choice that spoken words make. Only words that name the choice grant anything, such as "delete
 * it": a bare "yes", in any language, and a question grant nothing, because the user may mean
 * something else. "Always" can only be chosen on screen. Nor does a phrase with other words inside
 * decide, since "delete the thank you note" means another note.
 */
export function spokenChoice(
  { words, whole, isQuestion }: SpokenWords,
  approval: Approval,
): ApprovalChoice | null {
  const made = isQuestion ? null : choiceBy(words, approval);
  if (!made || !mayBeSpoken(made.choice, approval)) return null;
  const { choice, phrase } = made;
  if (phrase === null) return isGrant(choice) ? null : choice;
  return hasRun(whole, phrase.split(' ')) ? choice : null;
}

/** Whether words can make the choice: no notification shows all of what some of them grant. */
export function mayBeSpoken(choice: ApprovalChoice, approval: Approval): boolean {
  if (choice === 'always') return false;
  return !isGrant(choice) || !(isLong(approval) || isDeletionOfSeveral(approval));
}

/** Longer texts decide nothing. */
const MAX_CHOICE_WORDS = 12;

interface MadeChoice {
  readonly choice: ApprovalChoice;
  /** The words that name the choice; null if they say only yes or no. */
  readonly phrase: string | null;
}

function choiceBy(words: readonly string[], approval: Approval): MadeChoice | null {
  if (words.length > MAX_CHOICE_WORDS) return null;
  let rest = words.join(' ');
  let saysYes = false;
  let saysNo = false;
  let isLed = false;
  while (rest !== '') {
    const phrase = phraseIn(rest, approval);
    if (phrase) {
      const isGranted = isGrant(phrase.choice);
      const isContradicted = isGranted ? saysNo || phrase.saysNo : phrase.saysYes;
      return isContradicted ? null : { choice: phrase.choice, phrase: phrase.text };
    }
    if (NO.has(rest)) return { choice: declineChoice(approval), phrase: null };
    const lead = leadOf(rest, [YES, NO_LEADS, LEADS]);
    if (lead === null) return null;
    saysYes ||= YES.has(lead);
    saysNo ||= NO_LEADS.has(lead);
    isLed ||= !YES.has(lead) && !NO_LEADS.has(lead);
    rest = rest.slice(lead.length).trim();
  }
  if (isLed || saysYes === saysNo) return null;
  const choice = saysYes ? grantChoice(approval) : declineChoice(approval);
  return choice && { choice, phrase: null };
}

interface Phrase {
  readonly choice: ApprovalChoice;
  readonly text: string;
  /** What follows it, as in "delete it, yes". */
  readonly saysYes: boolean;
  readonly saysNo: boolean;
}

/** The phrase that the text begins with, if only yes, no or a trail follows. */
function phraseIn(text: string, { choices }: Approval): Phrase | null {
  const words = text.split(' ');
  for (let length = words.length; length > 0; length -= 1) {
    const phrase = words.slice(0, length).join(' ');
    const choice = choices.find((each) => names(each, phrase));
    if (!choice) continue;
    let rest = words.slice(length).join(' ');
    let [saysYes, saysNo] = [false, false];
    while (rest !== '') {
      const lead = leadOf(rest, [YES, NO_LEADS, TRAILS]);
      if (lead === null) return null;
      saysYes ||= YES.has(lead);
      saysNo ||= NO_LEADS.has(lead);
      rest = rest.slice(lead.length).trim();
    }
    return { choice, text: phrase, saysYes, saysNo };
  }
  return null;
}

/** The longest phrase that the text begins with. */
function leadOf(text: string, all: readonly ReadonlySet<string>[]): string | null {
  const found = all.flatMap((leads) =>
    [...leads].filter((lead) => text === lead || text.startsWith(`${lead} `)),
  );
  return found.sort((a, b) => b.length - a.length)[0] ?? null;
}

function phrases(list: string): ReadonlySet<string> {
  return new Set(list.split('|'));
}

/** Words of answers that decide nothing by themselves. */
const OTHER_WORDS =
  "maybe perhaps possibly later wait hmm hm what which one again repeat hold on a minute moment second not sure know think so should shall would i we you can is it's really ready done next same first last other neither both either none any whatever good great please that then";

const DECISION_WORDS: ReadonlySet<string> = new Set(
  [YES, LEADS, TRAILS, NO, NO_LEADS, OBJECTS, ...Object.values(WHOLE)]
    .flatMap((all) => [...all])
    .concat(Object.values(VERBS).flat(), OTHER_WORDS)
    .flatMap((phrase) => phrase.split(' ')),
);

const MAX_DECISION_WORDS = 7;

/**
 * Whether the words are about a decision, although they may not make one, such as "maybe". Requests
 * of the same words, such as "delete the last note", are not.
 */
export function isAboutDecision(spoken: SpokenWords): boolean {
  const { words } = spoken;
  const isShort = words.length <= MAX_DECISION_WORDS;
  return isShort && words.every((word) => DECISION_WORDS.has(word)) && !isLikelyRequest(spoken);
}
