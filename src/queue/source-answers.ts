/** Answers "how do you know?": what the last answer comes from, and whether it is still there. */
import * as t from '#messages/quick-command-messages';
import { markedReply, type Turn, validSteps } from '#model/conversation';
import { citationsIn, type Passage, passageLink, quotedWords, sourceName } from '#model/passage';
import type { PassageCheck } from '#model/passage-check';
import type { SourcesPort } from '#ports/app/sources-port';
import { oneLine } from '#text/shorten';
import { firstSentences, saidName, saidText } from '#text/speech';
import { type CommandAnswer, doneAnswer } from './command-turns';

/** @param turn the one with the last answer; null if there is none */
export async function sourceAnswer(
  turn: Turn | null,
  check: SourcesPort['check'],
): Promise<CommandAnswer> {
  const sources = turn ? sourcesIn(turn) : [];
  if (sources.length === 0) return doneAnswer(turn ? t.noSources : t.noAnswerYet);
  const checked = await check(sources);
  const checks = checked.ok ? checked.checks : [];
  const lines = sources.map((source, at) => line(source, checks[at], WRITTEN));
  const first = line(sources[0]!, checks[0], SAID);
  return {
    ...doneAnswer(
      lines.length === 1 ? (lines[0] ?? '') : lines.map((each) => `- ${each}`).join('\n'),
    ),
    spoken: [first, ...(lines.length > 1 ? [t.moreSources(lines.length - 1)] : [])].join(' '),
  };
}

/** What the marks of the answer name, in its order. */
function sourcesIn(turn: Turn): readonly Passage[] {
  const texts = validSteps(turn).flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
  );
  return citationsIn([...texts, markedReply(turn)].join('\n\n'), turn.passages).sources;
}

interface Wording {
  name(source: Passage): string;
  words(text: string): string;
}

const MAX_SAID_WORDS_CHARS = 200;

const WRITTEN: Wording = { name: passageLink, words: quotedWords };
const SAID: Wording = {
  name: (source) => (source.kind === 'note' ? saidName(source.path) : sourceName(source)),
  words: (text) => firstSentences(oneLine(saidText(text)), MAX_SAID_WORDS_CHARS, '…'),
};

function line(source: Passage, check: PassageCheck | undefined, { name, words }: Wording): string {
  // A note that is hidden now has neither a name nor words.
  if (check?.kind === 'hidden') return t.sourceHidden;
  const path = check && 'path' in check && check.path !== null ? check.path : null;
  const now = source.kind === 'note' && path !== null ? { ...source, path } : source;
  const said = t.sourceSays(name(now), words(source.text));
  if (check?.kind === 'gone') return `${said} ${t.sourceGone}`;
  return check?.kind === 'changed' ? `${said} ${t.sourceChanged(words(check.now))}` : said;
}
