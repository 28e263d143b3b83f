/** Typed words that decide an open approval. */
import { CHOICE_PHRASES } from '#model/reply';
import type { Card, CardChoice } from '#model/waiting';

const YES = new Set(
  'yes|y|yep|yeah|yup|sure|ok|okay|do it|go ahead|yes do it|yes go ahead|ja|oui|si|sí'.split('|'),
);
const NO = new Set(
  "no|n|nope|nah|no thanks|no thank you|don't|dont|don't do it|do not|cancel|nein|non".split('|'),
);

/** Null for any other text: it declines the approval, and is what the user says next. */
export function typedChoice(text: string, card: Card): CardChoice | null {
  const words = text
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/[.,:;!]/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && word !== 'please')
    .join(' ');
  const plain = words.replace(/^(?:yes|no) (?=\w+ it$)/, '');
  const named = card.choices.find(
    (choice) => CHOICE_PHRASES[choice] === plain || WORDS[choice] === plain,
  );
  if (named) return named;
  if (YES.has(words)) return card.choices.find((choice) => GRANTS.has(choice)) ?? null;
  return NO.has(words) ? declining(card) : null;
}

/** The choice that leaves the vault as it is. */
export function declining({ choices }: Card): CardChoice {
  return choices.includes('keep') ? 'keep' : 'deny';
}

/** A typed yes never allows more than this one call. */
const GRANTS: ReadonlySet<CardChoice> = new Set(['allow-once', 'delete']);

const WORDS: Readonly<Record<CardChoice, string>> = {
  delete: 'delete',
  keep: 'keep',
  'allow-once': 'allow once',
  always: 'always allow',
  deny: 'deny',
};
