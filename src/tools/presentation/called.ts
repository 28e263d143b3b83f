/**
 * Calls by whatever name a model makes them, and the tools that are meant. A conversation may go on in another
 * presentation than it began in, and a model calls as it did before: each way is understood in each presentation.
 */
import type { CallPart } from '#model/message';
import { longName } from '../agents';
import type { ToolRegistry } from '../registry';
import type { AnyTool } from '../tool';

/** The call as one of the tool that is meant; as it was where none can be made out. */
export function calledTool(part: CallPart, registry: ToolRegistry): CallPart {
  const { name, input, malformed } = part;
  if (registry.get(name)) return part;
  const mode = malformed === undefined ? input['mode'] : modeBegun(malformed);
  const tool = registry.modes(name).find((each) => each.name === mode);
  if (tool && malformed !== undefined) return { ...part, name: tool.name, said: { name } };
  if (tool) {
    const fields = Object.entries(input);
    const at = fields.findIndex(([field]) => field === 'mode');
    const own = Object.fromEntries(fields.toSpliced(at, 1));
    return { ...part, name: tool.name, input: own, said: { name, mode: at } };
  }
  const named = registry.tools().find((each) => longName(each) === name);
  return named ? { ...part, name: named.name, said: { name } } : part;
}

function modeBegun(json: string): string | undefined {
  return /"mode"\s*:\s*"([\w-]+)"/.exec(json)?.[1];
}

/** The call as the model made it, to the byte. */
export function asSaid(part: CallPart): CallPart {
  if (!part.said) return part;
  const { said, ...meant } = part;
  if (said.mode === undefined) return { ...meant, name: said.name };
  const fields = Object.entries(part.input).toSpliced(said.mode, 0, ['mode', part.name]);
  return { ...meant, name: said.name, input: Object.fromEntries(fields) };
}

/** What the model called, for what is said to it. */
export function saidName({ name, said }: CallPart): string {
  if (!said) return name;
  return said.mode === undefined ? said.name : `${said.name} with the mode ${name}`;
}

/** What to answer to a call of which no tool can be made out. */
export function unknownTool({ name, input }: CallPart, registry: ToolRegistry): string {
  const { mode } = input;
  const modes = registry.modes(name);
  if (modes.length > 0) {
    const elsewhere = typeof mode === 'string' ? registry.get(mode) : undefined;
    return [
      mode === undefined ? `${name} needs a mode.` : `${name} has no mode ${JSON.stringify(mode)}.`,
      ...(elsewhere ? [`That is a mode of ${elsewhere.agent}.`] : []),
      `The modes of ${name} are: ${namesOf(modes)}.`,
    ].join(' ');
  }
  return mode === undefined
    ? `There is no tool "${name}". The tools are: ${namesOf(registry.tools())}.`
    : `There is no agent "${name}". The agents are: ${namesOf(registry.agents())}.`;
}

function namesOf(all: readonly Pick<AnyTool, 'name'>[]): string {
  return all.map(({ name }) => name).join(', ');
}
