/** A model whose calls are those of tools, however it makes them; what it said goes back to it as it said it. */
import type { CallPart } from '#model/message';
import type { HistoryMessage, ModelEvent, ModelProvider } from '#ports/model-provider';
import type { ToolRegistry } from '../registry';
import { asSaid, calledTool } from './called';

export function callingTools(model: ModelProvider, registry: ToolRegistry): ModelProvider {
  return {
    async *stream(request, signal) {
      const history = request.history.map(saidMessage);
      const coming = new ComingCalls(registry);
      for await (const event of model.stream({ ...request, history }, signal)) {
        yield meant(event, registry, coming);
      }
    },
  };
}

function saidMessage(message: HistoryMessage): HistoryMessage {
  if (message.role !== 'model') return message;
  const { role, parts } = message;
  return { role, parts: parts.map((part) => (part.type === 'call' ? asSaid(part) : part)) };
}

function meant(event: ModelEvent, registry: ToolRegistry, coming: ComingCalls): ModelEvent {
  if (event.type === 'part' && event.part.type === 'call') {
    return { ...event, part: calledTool(event.part, registry) };
  }
  if (event.type === 'delta' && event.delta.type === 'call') {
    const { name, text } = event.delta;
    return { ...event, delta: { ...event.delta, name: coming.nameOf(event.index, name, text) } };
  }
  return event;
}

/** So far into its input the mode of a call is looked for while it streams. */
const FAR = 2_000;

/** Which tools are being called, as soon as that can be told. */
class ComingCalls {
  readonly #registry: ToolRegistry;
  readonly #begun = new Map<number, string>();
  readonly #known = new Map<number, string>();

  constructor(registry: ToolRegistry) {
    this.#registry = registry;
  }

  nameOf(index: number, name: string, text: string): string {
    if (this.#registry.get(name)) return name;
    const known = this.#known.get(index);
    if (known !== undefined) return known;
    const malformed = (this.#begun.get(index) ?? '') + text;
    this.#begun.set(index, malformed);
    const part: CallPart = { type: 'call', wireId: '', name, input: {}, malformed };
    const called = calledTool(part, this.#registry);
    if (called.calledAs || malformed.length > FAR) this.#known.set(index, called.name);
    return called.name;
  }
}
