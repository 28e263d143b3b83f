/** What was said and done, in plain lines, for a model that is to summarise it. Cut to measure, evenly. */
import { isUserChoice } from '#model/call-outcome';
import type { HistoryMessage } from '#ports/model-provider';

export interface Line {
  readonly who: string;
  readonly text: string;
  /** What the other lines leave room for: it is cut first. */
  readonly minor: boolean;
}

export function linesOf(history: readonly HistoryMessage[]): Line[] {
  return history.flatMap((message): Line[] => {
    switch (message.role) {
      case 'user':
        return message.texts.map((text) => ({ who: 'User', text, minor: false }));
      case 'model':
        return message.parts.flatMap((part): Line[] => {
          if (part.type === 'text') return [{ who: 'Agent', text: part.text, minor: false }];
          if (part.type !== 'call') return [];
          return [{ who: `Call ${part.name}`, text: JSON.stringify(part.input), minor: true }];
        });
      case 'results':
        return message.results.map(({ result, notes }) => ({
          who: result.failed && !isUserChoice(result) ? 'Failed' : 'Result',
          text: [result.text, ...notes].join('\n'),
          minor: true,
        }));
    }
  });
}

/** How long one line may be, tried in this order; a minor one a quarter of it. */
const LENGTHS = [24_000, 8_000, 4_000, 2_000, 1_000, 500, 250];

/** At most `most` characters; what does not fit even when cut is left out in the middle. */
export function transcriptOf(lines: readonly Line[], most: number): string {
  const said = lines.filter(({ text }) => text.trim() !== '');
  let cut: string[] = [];
  for (const length of LENGTHS) {
    cut = said.map(({ who, text, minor }) => {
      // Indented, so that no text can pass for a line of somebody else's.
      const inside = shortened(text, minor ? length / 4 : length).replace(/\r?\n|\r/g, '\n  ');
      return `${who.replace(/\s+/g, ' ')}: ${inside}`;
    });
    if (lengthOf(cut) <= most) return cut.join('\n\n');
  }
  return withoutMiddle(cut, most);
}

/** Begins and ends as it did. */
export function shortened(text: string, most: number): string {
  const trimmed = text.trim();
  if (trimmed.length <= most) return trimmed;
  const head = Math.ceil((most * 2) / 3);
  return `${trimmed.slice(0, head)} […] ${trimmed.slice(trimmed.length - (most - head))}`;
}

/** The first request says what it was about, the last lines where it stands. */
function withoutMiddle(lines: readonly string[], most: number): string {
  const [first = '', ...rest] = lines;
  const head = first.slice(0, Math.floor(most / 4));
  const tail: string[] = [];
  let left = most - head.length - GAP.length;
  for (const line of rest.toReversed()) {
    left -= line.length + 2;
    if (left < 0) break;
    tail.unshift(line);
  }
  return [head, ...(tail.length < rest.length ? [GAP] : []), ...tail].join('\n\n');
}

const GAP = '[… lines left out …]';

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 2, 0);
}
