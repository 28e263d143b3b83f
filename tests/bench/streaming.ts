/**
 * Measures the real panel in Chromium while a long answer streams in chunks of 20 bytes: events,
 * reducer, stores, components, layout and painting. Compares it with parsing and rendering the
 * whole text at each chunk.
 */
import { chunksOf, longAnswer, plainAnswer, sizeOf } from './streaming/answer';
import { openChatPage, type ChatPage } from './streaming/chat-page';
import type { Part } from './streaming/trace';

const SIZES = [30_000, 120_000];
const CHUNK_CHARS = 20;
/** Milliseconds between two chunks. At 1,250 bytes per second, this is faster than models write. */
const INTERVAL_MS = 16;
/** Other load on the machine affects every run, so each part counts with its best of these runs. */
const RUNS = 3;
/** Number of text lengths at which rendering the whole text is sampled. */
const SAMPLES = 60;

interface Answer {
  readonly name: string;
  readonly text: string;
  readonly chunks: readonly string[];
}

type Print = (row: string) => void;

export async function bench(print: Print): Promise<void> {
  const answers = [
    ...SIZES.map((size) => answerOf('', longAnswer(size))),
    answerOf(' of plain words', plainAnswer(Math.max(...SIZES))),
  ];
  // Without a frame rate limit, frames are drawn immediately and the run does not wait for the
  // display.
  await onPage(['--disable-frame-rate-limit'], async (chat) => {
    for (const answer of answers) await drawEachChunk(chat, answer, print);
  });
  await onPage([], async (chat) => {
    for (const answer of answers) await drawInTime(chat, answer, print);
  });
}

function answerOf(kind: string, text: string): Answer {
  const name = `${Math.round(sizeOf(text) / 1000)} KB${kind}`;
  return { name, text, chunks: chunksOf(text, CHUNK_CHARS) };
}

/**
 * Only long answers have this budget; rendering a short one as a whole takes little more than a
 * frame.
 */
function budgetOf({ text }: Answer): string {
  return sizeOf(text) > 100_000 ? ' (budget 40)' : '';
}

async function onPage(flags: string[], run: (chat: ChatPage) => Promise<void>): Promise<void> {
  const chat = await openChatPage(flags);
  try {
    // A warm-up, so that compilation does not count towards the first chunks.
    const text = longAnswer(12_000);
    await chat.page.evaluate(
      (list) => window.bench.streamByFrames(list),
      chunksOf(text, CHUNK_CHARS),
    );
    await drawWhole(chat, text);
    await run(chat);
  } finally {
    await chat.close();
  }
}

async function drawEachChunk(chat: ChatPage, answer: Answer, print: Print): Promise<void> {
  const whole = await drawWhole(chat, answer.text);
  const runs = [];
  for (let run = 0; run < RUNS; run += 1) {
    runs.push(
      await chat.trace((page) =>
        page.evaluate((list) => window.bench.streamByFrames(list), answer.chunks),
      ),
    );
  }
  const { length } = answer.chunks;
  const best = bestOf(runs.map(({ parts }) => parts));
  const each = costOf(best.filter(({ name }) => name !== 'end')) / length;
  const first = costOf(best.filter(({ name }) => Number(name) < 100));
  const last = costOf(best.filter(({ name }) => Number(name) >= length - 100));
  const longest = Math.max(...best.map((part) => part.longest));
  const equal = runs.every(({ html }) => html === whole.html);
  print(
    `${answer.name} in ${length} chunks, each drawn in a frame of its own, the best of ${RUNS} runs:`,
  );
  print(
    `  ${ms(each)} a chunk; the whole read and drawn anew ${ms(whole.cost)} (${SAMPLES} lengths sampled), ${times(whole.cost / each)} as much${budgetOf(answer)}; reading alone ${ms(whole.reading)}`,
  );
  print(
    `  last hundred chunks ${ms(last)}, first hundred ${ms(first)}, ratio ${(last / first).toFixed(2)} (budget 1.5)`,
  );
  print(`  longest task ${ms(longest)}, a frame with all that belongs to it (budget 16 ms)`);
  print(`  finished HTML equal to one full parse: ${equal ? 'yes' : 'NO'} (budget yes)`);
}

async function drawInTime(chat: ChatPage, answer: Answer, print: Print): Promise<void> {
  const whole = await drawWhole(chat, answer.text, INTERVAL_MS);
  const { html, parts } = await chat.trace((page) =>
    page.evaluate(([list, apart]) => window.bench.streamByTime(list, apart), [
      answer.chunks,
      INTERVAL_MS,
    ] as const),
  );
  const each = costOf(parts) / answer.chunks.length;
  print(`${answer.name}, a chunk every ${INTERVAL_MS} ms, drawn when the panel would:`);
  print(
    `  ${ms(each)} a chunk; the whole read and drawn anew ${ms(whole.cost)}, ${times(whole.cost / each)} as much${budgetOf(answer)}`,
  );
  print(
    `  finished HTML equal to one full parse: ${html === whole.html ? 'yes' : 'NO'} (budget yes)`,
  );
}

/** Mean milliseconds to parse and render the whole text, over sampled lengths of it. */
async function drawWhole(
  chat: ChatPage,
  text: string,
  apart = 0,
): Promise<{ html: string; cost: number; reading: number }> {
  const lengths = Array.from({ length: SAMPLES }, (_, at) =>
    Math.round(((at + 0.5) / SAMPLES) * text.length),
  );
  const given = [text, [...lengths, text.length], apart] as const;
  const { html, parts } = await chat.trace((page) =>
    page.evaluate((all) => window.bench.whole(...all), given),
  );
  const reading = await chat.page.evaluate((all) => window.bench.read(...all), [
    text,
    lengths,
  ] as const);
  return {
    html,
    cost: costOf(parts.filter(({ name }) => Number(name) < SAMPLES)) / SAMPLES,
    reading: reading.reduce((sum, took) => sum + took, 0) / SAMPLES,
  };
}

function bestOf(runs: readonly (readonly Part[])[]): Part[] {
  const [first = []] = runs;
  return first.map(({ name }, at) => ({
    name,
    cost: Math.min(...runs.map((parts) => parts[at]?.cost ?? 0)),
    longest: Math.min(...runs.map((parts) => parts[at]?.longest ?? 0)),
    interval: Math.min(...runs.map((parts) => parts[at]?.interval ?? 0)),
  }));
}

function costOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { cost }) => sum + cost, 0);
}

function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(2)} ms`;
}

function times(ratio: number): string {
  return `${ratio.toFixed(1)} times`;
}
