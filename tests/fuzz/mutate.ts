/** Damages texts the way a hostile or broken sender would. The same seed gives the same texts. */

/** A generator of numbers below a limit (mulberry32). */
export type Random = (below: number) => number;

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** What parsers of JSON, HTML, URLs and lines are sensitive to. */
const TOKENS = [
  ...['{', '}', '[', ']', '"', ':', ',', '\\', '\n', '\r\n', '\0', '\u2028', '\ud83d', '\uFEFF'],
  ...['null', 'true', '-1', '1e999', '99999999999999999999', '""', '{}', '[]', '"__proto__":{}'],
  ...['<script>', '</', '<!--', ']]>', '&#x0;', '<svg><style>', '%00', '%2e%2e/', '..', '//', '@'],
  ...['data: ', 'event: ', '\n\n', '```', '> ', '- ', 'x'.repeat(5_000), '['.repeat(3_000)],
];

/** JSON values of every type, in place of another. */
const VALUES = [
  ...['null', 'true', '-1', '1e999', '99999999999999999999', '""', '{}', '[]', '"__proto__"'],
  ...['"\\u0000"', '"../x"', '[[[[]]]]', '{"a":{}}', `"${'x'.repeat(5_000)}"`],
];

/** Applies one to three changes. */
export function mutated(text: string, random: Random): string {
  let now = text;
  for (let left = 1 + random(3); left > 0; left -= 1) now = changed(now, random);
  return now;
}

function changed(text: string, random: Random): string {
  const [from, to] = [random(text.length + 1), random(text.length + 1)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  const [before, piece, after] = [text.slice(0, from), text.slice(from, to), text.slice(to)];
  const short = piece.slice(0, 40);
  switch (random(9)) {
    case 0:
      return before + after;
    case 1:
      return before;
    case 2:
      return before + short.repeat(1 + random(20)) + after;
    case 3:
      return before + TOKENS[random(TOKENS.length)]! + text.slice(from + random(3));
    case 4:
      return after + piece + before;
    case 5:
      return before + String.fromCharCode(random(0x10000)) + text.slice(from + 1);
    default:
      // Another type in place of a value.
      return text.replace(/:("[^"]{0,40}"|\d+|true|false)/g, (whole) =>
        random(4) === 0 ? `:${VALUES[random(VALUES.length)]!}` : whole,
      );
  }
}

export interface FuzzCount {
  readonly tried: number;
  /** How the inputs were taken, by kind. */
  readonly outcomes: Readonly<Record<string, number>>;
}

/**
 * Runs `take` on this many mutations of the samples, and counts the outcomes that it names. The
 * message of an error that it throws has the seed and the input.
 */
export async function fuzz(
  samples: readonly string[],
  count: number,
  take: (input: string, random: Random) => string | Promise<string>,
): Promise<FuzzCount> {
  const first = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);
  const outcomes: Record<string, number> = {};
  for (let seed = first; seed < first + count; seed += 1) {
    const random = seeded(seed);
    const input = mutated(samples[random(samples.length)]!, random);
    try {
      const outcome = await take(input, random);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    } catch (error) {
      throw new Error(`FUZZ_SEED=${seed}: ${JSON.stringify(input.slice(0, 2_000))}`, {
        cause: error,
      });
    }
  }
  return { tried: count, outcomes };
}
