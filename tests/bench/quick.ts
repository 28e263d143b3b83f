/**
 * Short requests of a day by voice and by keyboard, in a vault of 5,000 notes of which 1,000 have
 * tasks: the time of Parley's own share, the model requests, and their cost. The model is a double
 * that answers at once, with the calls of a quick model.
 */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Usage } from '#model/message';
import { daysLater } from '#text/days';
import { call, reply, type Reply } from '#workbench/model/replies';
import { temporaryFolder } from '../builders/temporary-folder';
import { generateVault } from './searching/generated-vault';
import { median } from './timing/watched';
import { costOf, untilTrue, voiceStage } from './timing/voice-stage';

const NOTES = 5_000;
/** One of so many notes has tasks. */
const TASK_SHARE = 5;
const RUNS = 5;

const TODAY = new Date().toLocaleDateString('sv');
const DAILY = `Daily/${TODAY}.md`;
const LIST = 'Lists/Shopping.md';
const HOUSE = 'Lists/House.md';

interface Request {
  readonly words: string;
  /** What is typed instead. */
  readonly typed?: string;
  readonly script: readonly Reply[];
}

const done = (summary: string) => call('done', { summary, outcome: 'done' });

const REQUESTS: readonly Request[] = [
  {
    words: 'add milk',
    script: [
      reply('I look for the list.', call('list_files', { pattern: '*shopping*' })),
      reply(
        call('edit_file', { path: LIST, edits: [{ position: 'end', content: '- milk' }] }),
        done('Milk is on the list.'),
      ),
    ],
  },
  { words: "what's due today", typed: '/due-today', script: [] },
  {
    words: 'log that I slept six hours',
    script: [
      reply(
        call('edit_file', {
          path: DAILY,
          edits: [{ position: 'end-of:## Habits', content: '- slept six hours' }],
        }),
        done('Logged.'),
      ),
    ],
  },
  {
    words: 'move that to Friday',
    script: [
      reply(
        call('update_tasks', { path: HOUSE, tasks: ['pay the rent'], due: daysLater(TODAY, 3) }),
        done('Moved.'),
      ),
    ],
  },
];

export async function bench(print: (row: string) => void): Promise<void> {
  const script: Reply[] = [];
  let askedAt = NaN;
  const next = () => {
    if (Number.isNaN(askedAt)) askedAt = performance.now();
    return script.shift() ?? reply('Done.');
  };
  const stage = await voiceStage({ vault: quickVault(), next });
  const { agent, smartHole, wait } = stage;
  const usages: Usage[] = [];
  let ended = () => {};
  agent.subscribe((event) => {
    if (event.type === 'step-end') usages.push(event.usage);
    if (event.type === 'turn-end') ended();
  });
  const isIdle = async () => (await agent.state()).running.length === 0;

  /** Until the answer is in the chat; the model takes no time. Nothing polls meanwhile. */
  const ask = async (
    { words, typed = words, script: steps }: Request,
    by: 'voice' | 'keyboard',
  ) => {
    script.splice(0, script.length, ...steps);
    usages.length = 0;
    askedAt = NaN;
    const answered = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const spent = process.cpuUsage();
    const began = performance.now();
    if (by === 'voice') smartHole.say(words);
    else await agent.queue.send({ text: typed });
    await answered;
    const milliseconds = performance.now() - began;
    const { user, system } = process.cpuUsage(spent);
    const processor = (user + system) / 1_000;
    const asked = askedAt - began;
    await untilTrue(isIdle);
    return { milliseconds, processor, asked, requests: usages.length, cost: costOf(usages) };
  };

  print(
    `${NOTES} notes, ${NOTES / TASK_SHARE} of them with tasks; milliseconds, wall and processor`,
  );
  print(
    'request                    | by       | model asked | answered (processor) | first time (processor) | model requests | cost cold | warm',
  );
  for (const by of ['voice', 'keyboard'] as const) {
    for (const request of REQUESTS) {
      // Whatever the model's server has cached is gone by then.
      wait(2 * 3_600_000);
      const cold = await ask(request, by);
      const warm: (typeof cold)[] = [];
      for (let run = 0; run < RUNS; run += 1) warm.push(await ask(request, by));
      const of = (pick: (each: typeof cold) => number) => median(warm.map(pick)).toFixed(0);
      const dollars = ({ cost }: typeof cold) => `$${cost.toFixed(5)}`;
      const cells = [
        request.words.padEnd(26),
        by.padEnd(8),
        (request.script.length === 0 ? '–' : of(({ asked }) => asked)).padStart(11),
        `${of(({ milliseconds }) => milliseconds)} (${of(({ processor }) => processor)})`.padStart(
          20,
        ),
        `${cold.milliseconds.toFixed(0)} (${cold.processor.toFixed(0)})`.padStart(22),
        String(cold.requests).padStart(14),
        dollars(cold).padStart(9),
        dollars(warm.at(-1) ?? cold),
      ];
      print(cells.join(' | '));
    }
  }
  await stage.close();
}

/** Notes of which a part has dated tasks; a shopping list, and the note of today. */
function quickVault(): string {
  const vault = temporaryFolder('quick');
  generateVault(vault, { notes: NOTES, megabytes: 25 });
  const files = readdirSync(vault, { recursive: true, encoding: 'utf8' });
  for (const [at, name] of files
    .filter((each) => each.endsWith('.md'))
    .sort()
    .entries()) {
    const file = path.join(vault, name);
    const lines = readFileSync(file, 'utf8').split('\n');
    const own = lines.filter((line) => !/^- \[/.test(line)).join('\n');
    writeFileSync(file, own);
    if (at % TASK_SHARE > 0) continue;
    const day = daysLater(TODAY, (at % 400) - 40);
    appendFileSync(file, `\n- [ ] call somebody 📅 ${day}\n- [x] done before ✅ ${TODAY}\n`);
  }
  for (const folder of ['Daily', 'Lists']) mkdirSync(path.join(vault, folder), { recursive: true });
  writeFileSync(path.join(vault, LIST), '- bread\n');
  writeFileSync(path.join(vault, HOUSE), `- [ ] pay the rent 📅 ${TODAY}\n`);
  writeFileSync(path.join(vault, DAILY), '# Today\n\n## Habits\n\n- ran\n\n## Notes\n');
  mkdirSync(path.join(vault, '.obsidian'), { recursive: true });
  writeFileSync(path.join(vault, '.obsidian/daily-notes.json'), '{"folder":"Daily"}');
  return vault;
}
