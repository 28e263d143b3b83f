/** What the user wants of all later answers: found in their words, and added to the instructions. */
import { capitalize, oneLine } from './shorten';

/** Words for a lasting wish in a few languages. */
const PHRASES = [
  'from now on|from here on|going forward|in future',
  'ab jetzt|ab sofort|von nun an|künftig|in Zukunft',
  "à partir de maintenant|dorénavant|désormais|à l’avenir|à l'avenir",
  'a partir de ahora|de ahora en adelante|en adelante',
  "d’ora in poi|d'ora in poi|da adesso in poi|a partir de agora|de agora em diante|daqui em diante",
  'vanaf nu|voortaan|fra nu af|fra nå av|från och med nu',
  'od teraz|od nynějška|с этого момента|впредь|відтепер',
  '今後は?|これからは?|从现在开始|从今以后|以后|앞으로는?',
].join('|');

const ANYWHERE = new RegExp(
  `(?<!\\p{L})(?:${PHRASES})(?![\\p{Script=Latin}\\p{Script=Cyrillic}])`,
  'iu',
);
const AT_THE_START = new RegExp(
  `^(?:please,?\\s+)?(?:${PHRASES})(?![\\p{Script=Latin}\\p{Script=Cyrillic}])[\\s,:，、]*`,
  'iu',
);
/** "Never mind" wishes nothing. */
const RULE_AT_THE_START = /^(?:please,?\s+)?(?:always|never(?!\s+mind)|immer|nie)\s+\p{L}/iu;
const SENTENCES = /[^.!?。！？\n]+(?:[.!?](?=\S)[^.!?。！？\n]*)*[.!?。！？]*/gu;

const MAX_RULE_CHARS = 300;

/** "Could you always …?" wishes; any other question asks. */
const REQUEST_OPENING = /^(?:please,?\s+)?(?:can|could|will|would) you\s/i;
const QUESTION_OPENING =
  /^(?:should|shall|do|does|did|must|may|am|is|are|was|were|have|has|what|why|how|when|where|which|who|soll|sollte|muss|darf)\s/i;

function isQuestion(sentence: string): boolean {
  if (REQUEST_OPENING.test(sentence)) return false;
  return QUESTION_OPENING.test(sentence) || /[?？؟][\s"”’)]*$/.test(sentence);
}

/** The first sentence that expresses one, without those words at its start; '' if there is none. */
export function lastingWish(text: string): string {
  const isWish = (each: string) =>
    !isQuestion(each.trim()) && (ANYWHERE.test(each) || RULE_AT_THE_START.test(each.trim()));
  const sentence = text.match(SENTENCES)?.find(isWish) ?? '';
  const rule = capitalize(oneLine(sentence.trim().replace(AT_THE_START, '')));
  return rule.length > MAX_RULE_CHARS ? '' : rule;
}

/** The instructions with this line at their end, unless they have it. */
export function withInstruction(instructions: string, line: string): string {
  if (instructions.split('\n').includes(line)) return instructions;
  return [instructions.trimEnd(), line].filter(Boolean).join('\n');
}
