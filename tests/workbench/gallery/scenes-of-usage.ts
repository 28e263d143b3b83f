/** Scenes of token usage and of saved memories. */
import { NO_USAGE } from '#model/message';
import type { DayUsage } from '#ports/app/agent';
import { never, type Scenes } from './scene';
import { Script } from './script';

const HAIKU = 'claude-haiku-4-5-20251001';
const SONNET = 'claude-sonnet-5-5';

function lasting(): Script {
  return new Script('remember')
    .ask('Add oat milk to the list. From now on, put groceries under their shop.')
    .step()
    .say('Added **oat milk** under *Corner shop*.')
    .done('Added **oat milk** under *Corner shop*.');
}

/** Daily usage of the last month, up to today. */
function aMonth(): DayUsage[] {
  const today = Date.parse(new Date().toLocaleDateString('sv'));
  return Array.from({ length: 26 }, (_, at) => {
    const date = new Date(today - (25 - at) * 86_400_000).toISOString().slice(0, 10);
    const busy = (at * 7) % 11;
    const day = (model: string, calls: number, price: number): DayUsage => ({
      ...{ date, model, calls, unpriced: price === 0 ? calls : 0 },
      usage: {
        ...NO_USAGE,
        input: calls * 900,
        cacheRead: calls * 7_000,
        output: calls * 420,
      },
      cost: calls * price,
    });
    return [
      day(HAIKU, busy * 3, 0.0037),
      day(SONNET, at % 3 === 0 ? busy : 0, 0.021),
      day('llama4', at === 12 ? 9 : 0, 0),
    ].filter(({ calls }) => calls > 0);
  }).flat();
}

const ONE_MODEL = 'hf.co/somebody/a-model-with-a-very-long-name-32b-instruct-gguf:Q4_K_M';

function ofOneModel(): DayUsage[] {
  return aMonth()
    .filter(({ model }) => model === HAIKU)
    .map((day) => ({ ...day, model: ONE_MODEL, cost: 0, unpriced: day.calls }));
}

export const USAGE_SCENES: Scenes = {
  usage: () => ({ scripts: [lasting()], usage: aMonth(), place: 'usage' }),
  'usage-in-tokens': () => ({
    scripts: [lasting()],
    usage: aMonth(),
    place: 'usage',
    acts: [
      { write: 'tokens', into: 'Show' },
      { write: '90', into: 'Period' },
    ],
  }),
  'usage-without-prices': () => ({ scripts: [lasting()], usage: ofOneModel(), place: 'usage' }),
  'usage-none': () => ({ scripts: [lasting()], place: 'usage' }),
  'usage-loading': () => ({
    scripts: [lasting()],
    place: 'usage',
    answers: { usage: { byDay: never } },
  }),
  'usage-failed': () => ({
    scripts: [lasting()],
    place: 'usage',
    answers: { usage: { byDay: () => Promise.reject(new Error('EACCES')) } },
  }),
  remember: () => ({ scripts: [lasting()] }),
  remembered: () => ({ scripts: [lasting()], acts: [{ click: 'Remember' }] }),
};
