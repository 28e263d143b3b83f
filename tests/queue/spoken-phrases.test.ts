/** What spoken phrases do in each of ten states; `npm run phrases` prints the whole table. */
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
  'edit to review': 'new request',
});

const request = (answer: PhraseOutcome): Row => ({
  ...everywhere('new request'),
  'running turn': 'joined the running turn',
  'question with choices': answer,
  'free question': answer,
  'deletion, then question': answer,
});

const nothingToStop = {
  'nothing open': 'nothing to stop',
  'edit to review': 'nothing to stop',
} as const;

/** Words that name the note of the open deletion. */
const aboutName = (decided: PhraseOutcome): Row => ({
  ...request('answered, perhaps a request'),
  'deletion announced': decided,
  'two deletions announced': decided,
  'deletion not announced': 'phrases repeated',
  'not paired': 'sent to Obsidian',
});

/** Short words that are heard as an answer where something was announced. */
const shortWords = (toEdit: PhraseOutcome): Row => ({
  ...aboutApproval('phrases repeated'),
  'deletion not announced': 'new request',
  'edit to review': toEdit,
});

const EXPECTED: Readonly<Record<Group, Row>> = {
  'yes, with the word': aboutApproval('deleted'),
  'a bare yes': aboutApproval('phrases repeated'),
  'a yes by name': aboutApproval('phrases repeated'),
  'yes in another language': aboutApproval('phrases repeated'),
  'yes, with the name of the note': aboutName('deleted'),
  'no, with the name of the note': aboutName('kept'),
  'the name of another note, or a slip in it': request('answered, perhaps a request'),
  'a slip of transcription': shortWords('new request'),
  'accept an edit': shortWords('edit accepted'),
  'reject it': { ...aboutApproval('phrases repeated'), 'edit to review': 'edit rejected' },
  'reject an edit': shortWords('edit rejected'),
  'hear it': shortWords('edit read'),
  'hear the edits': { ...request('answered, perhaps a request'), 'edit to review': 'edit read' },
  'words that may just end a talk': aboutApproval('phrases repeated'),
  no: aboutApproval('kept'),
  'a question about it': aboutApproval('phrases repeated'),
  'neither yes nor no': aboutApproval('phrases repeated'),
  'a sentence that only contains the words': request('answered, perhaps a request'),
  undo: {
    ...everywhere('told that nothing is to be undone'),
    'nothing open': 'undone',
    'edit to review': 'undone',
  },
  'undo the last change': {
    ...everywhere('undone'),
    'running turn': 'told that nothing is to be undone',
  },
  'what did you do': everywhere('changes listed'),
  'what is waiting': everywhere('waiting listed'),
  stop: { ...everywhere('stopped'), ...nothingToStop },
  'stop everything': { ...everywhere('stopped'), ...nothingToStop },
  continue: {
    ...everywhere('waiting listed'),
    'nothing open': 'new request',
    'edit to review': 'new request',
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
  'Yes, delete Old',
  "Don't delete Old",
  'No, keep the Old note',
]);

/** All others delete nothing in any state. */
const DELETES: readonly Group[] = ['yes, with the word', 'yes, with the name of the note'];

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
  it('the table has more than 200 different phrases in ten states', () => {
    const all = Object.values(PHRASES).flat();
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(200);
    expect(STATES).toHaveLength(10);
  });

  it.each(Object.keys(PHRASES) as Group[])(
    'phrases of the kind "%s" do the same in each state, and only a clear yes to an announced deletion deletes',
    async (group) => {
      for (const phrase of sampled<string>(PHRASES[group], 1)) {
        for (const state of SOME_STATES) {
          const where = `"${phrase}", ${state}`;
          const result: PhraseResult = await sayIn(state, phrase);
          expect(result.outcome, where).toBe(expectedOf(group, phrase, state));
          expect(result.isDeleted, where).toBe(result.outcome === 'deleted');
          if (result.isDeleted) expect(DELETES, where).toContain(group);
          expect(result.emptyConversations, where).toBe(0);
        }
      }
    },
  );
});
