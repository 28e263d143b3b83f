/** What the page's panel sees of the demo model, and the faults that it can trigger. */
import type { ModelServer } from '#workbench/model/server';
import { NAMED_FAULTS, type FaultyModel } from '#workbench/model/traps';

export interface DemoModelServer {
  readonly server: ModelServer;
  readonly model: FaultyModel;
}

/** Summary of a request for the panel, which lists them newest first. */
export interface RequestLine {
  readonly index: number;
  readonly at: number;
  readonly model: string;
  readonly messages: number;
  /** Text of the last message, shortened. */
  readonly last: string;
  readonly outcome: string | null;
  readonly violations: readonly string[];
}

const MAX_SHOWN = 50;

export function answerModelPanel(
  demo: DemoModelServer,
  op: string,
  args: readonly unknown[],
): unknown {
  const { server, model } = demo;
  switch (op) {
    case 'requests':
      return server.requests.slice(-MAX_SHOWN).reverse().map(lineOf);
    case 'request':
      return server.requests[Number(args[0])]?.body ?? null;
    case 'traps':
      return NAMED_FAULTS.map(({ name, words }) => ({ name, words }));
    case 'trouble': {
      const trap = NAMED_FAULTS.find(({ name }) => name === args[0]);
      if (!trap) throw new Error(`There is no fault ${JSON.stringify(args[0])}.`);
      model.trouble((over) => trap.lay(over));
      return null;
    }
    case 'calm':
      model.trouble((over) => over, 0);
      return null;
    case 'pace':
      model.pace(args[0] === 'slow' ? { chunkBytes: 8, delayMs: 120 } : {});
      return null;
    default:
      throw new Error(`The panel has no ${JSON.stringify(op)}.`);
  }
}

function lineOf(seen: ModelServer['requests'][number]): RequestLine {
  const { index, at, body, outcome = null, violations } = seen;
  const last = wordsIn(body.messages.at(-1)?.content).slice(0, 300);
  return {
    ...{ index, at, outcome, violations, last },
    model: String(body.model),
    messages: body.messages.length,
  };
}

/** Text of a message, without the structure of the wire format. */
function wordsIn(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const blocks = content as { type?: unknown; text?: unknown; content?: unknown }[];
  return (
    blocks
      .map((block) =>
        block.type === 'tool_result'
          ? wordsIn(block.content)
          : typeof block.text === 'string'
            ? block.text
            : '',
      )
      .filter((words) => words !== '')
      // The request comes after its context, so show it first.
      .reverse()
      .join(' · ')
  );
}
