/** What 173 spoken phrases do in each state; `npm run phrases` prints the whole table. */
import { describe, expect, it } from 'vitest';
import { sampled } from '../builders/sampled';
import {
  PHRASES,
  STATES,
  sayIn,
  type PhraseOutcome,
  type PhraseResult,
  type PhraseState,
} from './spoken-phrases';

type Group = keyof typeof PHRASES;
type Row = Readonly<Record<PhraseState, PhraseOutcome>>;

const everywhere = (outcome: PhraseOutcome) =>
  Object.fromEntries(STATES.map((state) => [state, outcome])) as Row;

/** An approval is the only thing that these words are about. */
const aboutApproval = (decided: PhraseOutcome): Row => ({
  ...everywhere('answered'),
  'nothing open': 'new request',
  'deletion announced': decided,
  'two deletions announced': 'phrases repeated',
  'running turn': 'joined the running turn',
  'deletion not announced': 'phrases repeated',
  'not paired': 'sent to Obsidian',
});

const request = (answer: PhraseOutcome): Row => ({
  ...everywhere('new request'),
  'running turn': 'joined the running turn',
  'question with choices': answer,
  'free question': answer,
  'deletion, then question': answer,
});

const EXPECTED: Readonly<Record<Group, Row>> = {
  'yes, with the word': aboutApproval('deleted'),
  'a bare yes': aboutApproval('phrases repeated'),
  'a yes by name': aboutApproval('phrases repeated'),
  'words that may just end a talk': aboutApproval('phrases repeated'),
  no: aboutApproval('kept'),
  'a question about it': aboutApproval('phrases repeated'),
  'neither yes nor no': aboutApproval('phrases repeated'),
  'a sentence that only contains the words': request('answered, perhaps a request'),
  undo: { ...everywhere('told that nothing is to be undone'), 'nothing open': 'undone' },
  'undo the last change': {
    ...everywhere('undone'),
    'running turn': 'told that nothing is to be undone',
  },
  'what did you do': everywhere('changes listed'),
  'what is waiting': everywhere('waiting listed'),
  stop: { ...everywhere('stopped'), 'nothing open': 'nothing to stop' },
  'stop everything': { ...everywhere('stopped'), 'nothing open': 'nothing to stop' },
  continue: {
    ...everywhere('waiting listed'),
    'nothing open': 'new request',
    'question with choices': 'answered',
    'free question': 'answered',
    'deletion, then question': 'answered',
  },
  'a short request': request('answered, perhaps a request'),
  'a request like a choice': request('answered, perhaps a request'),
  'a question of its own': request('answered, perhaps a request'),
};

/** Phrases that differ from their group in the states of an open question: no verb begins them. */
const PLAIN_ANSWERS = new Set([
  'I said delete it yesterday and nothing happened',
  'My wife says yes please to more cake',
]);

const DELETES: ReadonlySet<Group> = new Set<Group>(['yes, with the word']);

function expectedOf(group: Group, phrase: string, state: PhraseState): PhraseOutcome {
  const expected = EXPECTED[group][state];
  return PLAIN_ANSWERS.has(phrase) && expected === 'answered, perhaps a request'
    ? 'answered'
    : expected;
}

const DECISIVE: PhraseState = 'deletion announced';
const SOME_STATES = [
  DECISIVE,
  ...sampled(
    STATES.filter((state) => state !== DECISIVE),
    3,
  ),
];

describe('spoken phrases', () => {
  it('the table has 173 different phrases', () => {
    expect(new Set(Object.values(PHRASES).flat()).size).toBe(173);
  });

  it.each(Object.keys(PHRASES) as Group[])(
    'phrases of the kind "%s" do the same in each state, and only a clear yes to an announced deletion deletes',
    async (group) => {
      for (const phrase of sampled<string>(PHRASES[group], 1)) {
        for (const state of SOME_STATES) {
          const where = `"${phrase}", ${state}`;
          const result: PhraseResult = await sayIn(state, phrase);
          expect(result.outcome, where).toBe(expectedOf(group, phrase, state));
          const isMeant = DELETES.has(group) && state === 'deletion announced';
          expect(result.isDeleted, where).toBe(isMeant);
          expect(result.emptyConversations, where).toBe(0);
        }
      }
    },
  );
});
