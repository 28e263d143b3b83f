/** No reader of an answer gets a raw mark, whatever the model has written. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { conversationNote } from '#app/conversation-export';
import { plainAnswer, plainSegment } from '#components/message/turn-facts.ts';
import { answerIn, segmentsOf } from '#components/message/turn-segments.ts';
import { textInSteps } from '#conversations/conversation-text';
import { transcriptLines } from '#agent/compaction';
import { messagesOf, summaryOf } from '#model/conversation-summary';
import { withSourceFootnotes, withSourceLinks } from '#model/passage';
import { savedSourcesIn } from '#model/saved-sources';
import { testClock } from '#tests/builders/fake-clock';
import { pagePassage, passageOf } from '#tests/builders/passages';
import { cases } from '#tests/cases';
import { answers, call, says, scriptedModel, words } from '#tests/builders/model-stream';
import { beginTurn } from '#tests/builders/turns';
import { sourceMarksIn } from '#text/source-marks';
import { conversationText } from '#queue/conversation-picker';
import { notificationOf } from '#voice/notifications';
import { awayNews } from '#app/away-notifications';

const herbs = passageOf('Garden/Herbs.md', '# Herbs\n\nSow basil in May.\n', 'Sow basil in May.');
const page = pagePassage();

const PIECES = fc.constantFrom(
  ...['Sow it in May', '. ', '\n\n', '- a\n', '# Herbs\n', '> b\n', '| a | b |\n', ' ', '**c** '],
  ...['[@Herbs:3]', ' [@Herbs:3-3]', '[@Growing basil:2]', ' [@Nothing:7]', '[@Herbs:3][@A:1–2]'],
);
const ANSWER = fc
  .array(PIECES, { minLength: 1, maxLength: 12 })
  .map((all) => `Well. ${all.join('')}`);

/** Marks of these name what was shown; all others name nothing. */
const PASSAGES = Object.fromEntries(
  [herbs, page].map((passage) => [passage.key, passage] as const),
);

type End = 'text' | 'done';

/** What each consumer of answers makes of a turn, by name. */
async function outputsOf(texts: readonly string[], end: End): Promise<Record<string, string>> {
  const [last = '', ...before] = texts.toReversed();
  const script = [
    ...before
      .reverse()
      .map((text, at) => answers([words(text), call('read', {}, { wireId: `w${at}` })])),
    end === 'text' ? says(last) : answers([call('done', { summary: last, spoken: last })]),
  ];
  const model = scriptedModel(...script);
  const begun = await beginTurn({ model, passages: PASSAGES });
  await begun.run();
  const { turn, events } = begun;
  const conversation = begun.log.state;
  const ending = events.findLast(({ type }) => type === 'turn-end')!;
  const news = awayNews(ending, conversation)!;
  const shown = segmentsOf(turn);
  const answer = answerIn(shown);
  const walk = textInSteps(conversation);
  let step = walk.next();
  while (step.done !== true) step = walk.next();
  const parts = turn.steps.flatMap((each) => each.parts);
  return {
    reply: JSON.stringify(turn.end),
    notification: JSON.stringify(notificationOf(news.reply, { ...news, wireName: null })),
    export: conversationNote(conversation, testClock()),
    copy: withSourceLinks(answer, turn.passages),
    saved: withSourceFootnotes(answer, turn.passages),
    plain: plainAnswer(turn),
    segments: shown.map(plainSegment).join('\n'),
    messages: JSON.stringify(messagesOf(conversation)),
    listed: JSON.stringify(summaryOf(conversation)),
    index: JSON.stringify(step.value),
    continued: conversationText(conversation),
    transcript: JSON.stringify(
      transcriptLines([{ role: 'model', parts }]).filter(({ minor }) => !minor),
    ),
  };
}

test('no consumer of an answer shows a mark, wherever in the turn it is', async () => {
  const ends = fc.constantFrom<End>('text', 'done');
  await fc.assert(
    fc.asyncProperty(fc.array(ANSWER, { minLength: 1, maxLength: 3 }), ends, async (texts, end) => {
      const outputs = await outputsOf(texts, end);
      for (const [name, output] of Object.entries(outputs)) {
        expect(sourceMarksIn(output), name).toEqual([]);
        expect(output, name).not.toContain('[@');
      }
    }),
    { numRuns: Math.ceil(cases.numRuns / 3) },
  );
});

test.each(['text', 'done'] as const)(
  'an answer that ends as %s keeps its sources as footnotes where it is exported or saved',
  async (end) => {
    const text = 'In May [@Herbs:3]. It likes warmth [@Growing basil:2]. Blue [@Herbs:9].';
    const outputs = await outputsOf(['I look [@Herbs:3].', text], end);
    for (const note of [outputs['export'], outputs['saved']]) {
      expect(note?.match(/It likes warmth/g)).toHaveLength(1);
      expect(savedSourcesIn(note ?? '')).toMatchObject([
        { place: { link: 'Garden/Herbs', subpath: '#Herbs' }, quotation: 'Sow basil in May.' },
        { place: { kind: 'page' }, quotation: 'Basil likes warmth.' },
      ]);
      expect(note).toMatch(
        /In May\[\^herbs-3-\w+\]\. It likes warmth\[\^growing-basil-2-\w+\]\. Blue\./,
      );
    }
  },
);
