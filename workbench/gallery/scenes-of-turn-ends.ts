/** What stands below an answer, and what all answers have used up. */
import { NO_USAGE } from '#model/message';
import type { DayUsage } from '#ports/agent';
import type { Scene } from './scene';
import { Script } from './script';

const HAIKU = 'claude-haiku-4-5-20251001';
const SONNET = 'claude-sonnet-5-5';

function readThrough(): Script {
  const notes = ['Lisbon trip', 'Porto', 'Azores'].map((name) => `Projects/${name}.md`);
  const journal = ['2026-03-02', '2026-03-09', '2026-03-17', '2026-04-01', '2026-04-04'];
  const answer = 'Three trips are planned this year, and only **Lisbon** has a date.';
  const other = 'The hotel near *Graça* is cheaper by a third.';
  return new Script('turn-end')
    .beside('Projects/Lisbon trip.md')
    .ask('Which trips are planned this year?')
    .step()
    .call('read_file', { paths: notes }, '1\t# Lisbon', {
      details: { kind: 'read', paths: notes },
      takes: 1200,
    })
    .call('read_file', { path: 'Journal' }, '1\t', {
      details: { kind: 'read', paths: journal.map((day) => `Journal/${day}.md`) },
      takes: 800,
    })
    .stepEnd()
    .step()
    .say(answer)
    .done(answer)
    .beside('Travel/Hotels in Lisbon and around, spring 2026.md')
    .by(SONNET)
    .ask('And which hotel is cheaper?')
    .step()
    .say(other)
    .done(other);
}

function stoppedWriting(): Script {
  const script = new Script('stopped-writing')
    .ask('Write down what we said about the garden')
    .step();
  const malformed = '{"path":"Notes/Garden in spring.md","content":"# Gar';
  script.part({ type: 'call', wireId: '', name: 'write_file', input: {}, malformed });
  const call = `${script.turn}.1.0` as never;
  return script
    .cut()
    .finish(call, { text: 'Not run: the person stopped the turn.', failed: true })
    .end({ kind: 'stopped', reply: 'Stopped.' });
}

function lasting(): Script {
  return new Script('remember')
    .ask('Add oat milk to the list. From now on, put groceries under their shop.')
    .step()
    .say('Added **oat milk** under *Corner shop*.')
    .done('Added **oat milk** under *Corner shop*.');
}

/** As if the person had used it for a month, up to today. */
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

export const TURN_END_SCENES: Readonly<Record<string, () => Scene>> = {
  'turn-end': () => ({ scripts: [readThrough()] }),
  'stopped-writing': () => ({ scripts: [stoppedWriting()] }),
  remember: () => ({ scripts: [lasting()] }),
  usage: () => ({ scripts: [lasting()], usage: aMonth(), place: 'usage' }),
  'usage-none': () => ({ scripts: [lasting()], place: 'usage' }),
};
