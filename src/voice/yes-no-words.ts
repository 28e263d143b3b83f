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

const CLEAR_YES = phrases(
  "yes|y|yes yes|yep|yeah|yup|sure|sure thing|absolutely|definitely|certainly|of course|do it|do that|go ahead|go ahead and|go for it|i'm sure|i confirm|confirm|confirmed|ja|oui|si|sí",
);
/** Spoken, these may also just end a talk, as in "okay, thanks". */
const WEAK_YES = phrases('ok|okay|alright|all right|fine|right|correct|you can|you may');
const YES: ReadonlySet<string> = new Set([...CLEAR_YES, ...WEAK_YES]);
/** May come before another phrase; the rest of `NO` is a whole answer. */
const NO_LEADS = phrases('no|n|nope|nah|no no|nein|non');
const NO = phrases(
  "no thanks|no thank you|don't|dont|do not|don't do it|do not do it|don't do that|cancel|cancel it|cancel that|never mind|forget it|leave it|not that|rather not|better not|i'd rather not|absolutely not|certainly not|definitely not|of course not",
);

/** Deletions need the word "delete", because a transcription may mishear or paraphrase. */
const PHRASES: Readonly<Record<ApprovalChoice, ReadonlySet<string>>> = {
  delete: phrases(
    'delete|delete it|delete that|delete this|delete them|delete the note|delete this note|delete that note|delete the file|delete it all',
  ),
  keep: phrases(
    "keep|keep it|keep that|keep this|keep them|keep the note|keep this note|keep the file|leave it alone|leave it there|don't delete|don't delete it|don't delete that|don't delete this|don't delete the note|do not delete it|do not delete that|do not delete the note|never delete it",
  ),
  'allow-once': phrases(
    'allow|allow it|allow that|allow this|allow once|allow it once|approve|approve it|approve that|i approve|i allow it',
  ),
  always: phrases('always allow|always allow it'),
  deny: phrases(
    "deny|deny it|deny that|deny this|decline|decline it|decline that|refuse it|reject it|don't allow it|don't allow that|do not allow it|do not allow that",
  ),
};

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
 * The choice that spoken words make. "Always" can only be chosen on screen. A bare "yes" deletes only
 * if the user said the assistant's name, because other messages may be paraphrased or meant for
 * another program. A question mark may come from the transcription, so it changes nothing after
 * whole phrases such as "delete it", but a bare "yes?" decides nothing. Nor does a phrase with other
 * words inside, since "delete the thank you note" means another note.
 */
export function spokenChoice(
  { words, whole, isQuestion, isAddressed }: SpokenWords,
  approval: Approval,
): ApprovalChoice | null {
  const made = choiceBy(words, approval);
  if (!made || made.choice === 'always') return null;
  const { choice, phrase, isClear } = made;
  // No notification has shown all of it.
  if (isGrant(choice) && (isLong(approval) || isDeletionOfSeveral(approval))) return null;
  if (phrase !== null && !hasRun(whole, phrase.split(' '))) return null;
  if (isQuestion) return phrase !== null && words.length > 1 ? choice : null;
  if (phrase !== null || !isGrant(choice)) return choice;
  return isClear && (choice !== 'delete' || isAddressed) ? choice : null;
}

/** Longer texts decide nothing. */
const MAX_CHOICE_WORDS = 12;

interface MadeChoice {
  readonly choice: ApprovalChoice;
  /** The words that name the choice; null if they say only yes or no. */
  readonly phrase: string | null;
  /** They can hardly mean anything else. */
  readonly isClear: boolean;
}

function choiceBy(words: readonly string[], approval: Approval): MadeChoice | null {
  if (words.length > MAX_CHOICE_WORDS) return null;
  let rest = words.join(' ');
  let saysYes = false;
  let isClear = false;
  let saysNo = false;
  for (;;) {
    const named = approval.choices.find((choice) => PHRASES[choice].has(rest));
    if (named) {
      return saysNo && isGrant(named) ? null : { choice: named, phrase: rest, isClear: true };
    }
    if (NO.has(rest)) return { choice: declineChoice(approval), phrase: null, isClear: true };
    const yes = leadOf(rest, YES);
    const no = leadOf(rest, NO_LEADS);
    if (yes === null && no === null) return null;
    saysYes ||= yes !== null;
    isClear ||= yes !== null && CLEAR_YES.has(yes);
    saysNo ||= no !== null;
    rest = rest.slice((yes ?? no ?? '').length).trim();
    if (rest !== '') continue;
    if (saysYes && saysNo) return null;
    const choice = saysYes ? grantChoice(approval) : declineChoice(approval);
    return choice && { choice, phrase: null, isClear: isClear || saysNo };
  }
}

/** The longest phrase that the text begins with. */
function leadOf(text: string, leads: ReadonlySet<string>): string | null {
  const found = [...leads].filter((lead) => text === lead || text.startsWith(`${lead} `));
  return found.sort((a, b) => b.length - a.length)[0] ?? null;
}

function phrases(list: string): ReadonlySet<string> {
  return new Set(list.split('|'));
}

/** Words of answers that decide nothing by themselves. */
const OTHER_WORDS =
  "maybe perhaps possibly later wait hmm hm what which one again repeat hold on a minute moment second not sure know think so should shall would i we you can is it's really ready done next same first last other neither both either none any whatever good great please that then";

const DECISION_WORDS: ReadonlySet<string> = new Set(
  [YES, NO, NO_LEADS, ...Object.values(PHRASES)]
    .flatMap((all) => [...all])
    .concat(OTHER_WORDS)
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
