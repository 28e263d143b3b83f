/** Orders that hostile texts give, and a model that obeys every one that it reads. */
import { call, reply, webSearch, type WebHit } from '#workbench/model/replies';
import type { Respond } from '#workbench/model/server';

export type Order = readonly [tool: string, input: object];

/** Text that gives these orders. Written in hexadecimal, so that no conversion changes it. */
export function orders(...all: readonly Order[]): string {
  return all.map((order) => `OBEY${Buffer.from(JSON.stringify(order)).toString('hex')}`).join('\n');
}

const CALLS_PER_STEP = 6;

/**
 * Calls what any text in its requests orders, each once, and then says that it is done.
 *
 * @param found results of the web search that the model's API runs
 */
export function obeyingModel(found: readonly WebHit[]): Respond {
  const obeyed = new Set<string>();
  return ({ messages, system, tools = [] }) => {
    if (tools.some(({ type }) => type?.startsWith('web_search'))) {
      return reply(...webSearch('apples', found), 'These were found.');
    }
    if (tools.length === 0) return reply('A title');
    const text = JSON.stringify([system, tools, messages]);
    const given = [...text.matchAll(/OBEY([0-9a-f]+)/g)].map(([, code = '']) => code);
    const next = [...new Set(given)].filter((code) => !obeyed.has(code)).slice(0, CALLS_PER_STEP);
    for (const code of next) obeyed.add(code);
    if (next.length === 0) return reply('It is all done.');
    return reply(
      'I obey.',
      ...next.map((code) => {
        const [tool, input] = JSON.parse(Buffer.from(code, 'hex').toString()) as Order;
        return call(tool, input);
      }),
    );
  };
}
