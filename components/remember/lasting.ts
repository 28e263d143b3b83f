/** Messages that say how it shall be from now on. */
import { capital } from '../tool/words';

/** What means it and little else, in a few languages. */
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
const SENTENCES = /[^.!?。！？\n]+(?:[.!?](?=\S)[^.!?。！？\n]*)*[.!?。！？]*/gu;

const LONGEST = 300;

/** The first sentence that says so, without those words where it begins with them; '' where none does. */
export function lastingRule(text: string): string {
  const sentence = text.match(SENTENCES)?.find((each) => ANYWHERE.test(each)) ?? '';
  const rule = capital(sentence.trim().replace(AT_THE_START, '').replace(/\s+/g, ' '));
  return rule.length > LONGEST ? '' : rule;
}
