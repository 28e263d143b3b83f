/**
 * Finds the tool that a call means. The presentation may change during a conversation while the
 * model keeps calling as before, so every form of call is accepted in every presentation.
 */
import type { CallPart } from '#model/message';
import { closeMatches } from '#policy/look-up';
import { longName } from './agent-presentation';
import type { ToolRegistry } from '../registry';
import type { AnyTool } from '../tool';

/** The call with the name and input of the tool it means; unchanged if there is no such tool. */
export function resolveCall(part: CallPart, registry: ToolRegistry): CallPart {
  const { name, input, malformed } = part;
  if (registry.get(name)) return part;
  const mode = malformed === undefined ? input['mode'] : modeBegun(malformed);
  const tool = registry.toolsOf(name).find((each) => each.name === mode);
  if (tool && malformed !== undefined) return { ...part, name: tool.name, calledAs: { name } };
  if (tool) {
    const fields = Object.entries(input);
    const at = fields.findIndex(([field]) => field === 'mode');
    const own = Object.fromEntries(fields.toSpliced(at, 1));
    return { ...part, name: tool.name, input: own, calledAs: { name, mode: at } };
  }
  const named = registry.tools().find((each) => longName(each) === name);
  return named ? { ...part, name: named.name, calledAs: { name } } : part;
}

function modeBegun(json: string): string | undefined {
  return /"mode"\s*:\s*"([\w-]+)"/.exec(json)?.[1];
}

/** How the model named the tool, for messages to it. */
export function calledName({ name, calledAs }: CallPart): string {
  if (!calledAs) return name;
  return calledAs.mode === undefined ? calledAs.name : `${calledAs.name} with the mode ${name}`;
}

/**
 * The answer to a call of an unknown tool. It lists the tools that can be called, by their own names,
 * which are accepted in every presentation.
 */
export function unknownTool({ name, input }: CallPart, tools: readonly AnyTool[]): string {
  const { mode } = input;
  const modes = tools.filter(({ agent }) => agent === name);
  if (modes.length > 0) {
    const elsewhere = tools.find((tool) => tool.name === mode && tool.agent !== name);
    return [
      mode === undefined ? `${name} needs a mode.` : `${name} has no mode ${JSON.stringify(mode)}.`,
      ...(elsewhere ? [`That is a mode of ${elsewhere.agent}.`] : didYouMean(mode, modes)),
      `The modes of ${name} are: ${modes.map((tool) => tool.name).join(', ')}.`,
    ].join(' ');
  }
  if (mode !== undefined) {
    const owner = tools.find((tool) => tool.name === mode);
    const agents = new Set(tools.map(({ agent }) => agent));
    return [
      `There is no agent "${name}".`,
      ...(owner ? [`${owner.name} is a mode of ${owner.agent}.`] : []),
      `The agents are: ${[...agents].join(', ')}.`,
    ].join(' ');
  }
  return [
    `There is no tool "${name}".`,
    ...didYouMean(name, tools),
    `The tools are: ${tools.map((tool) => tool.name).join(', ')}.`,
  ].join(' ');
}

const MAX_SUGGESTIONS = 3;

function didYouMean(given: unknown, tools: readonly AnyTool[]): string[] {
  if (typeof given !== 'string') return [];
  const bare = given.replace(/^.*__/, '');
  const names = tools.map(({ name }) => name);
  const near = names.includes(bare) ? [bare] : closeMatches(bare, names, MAX_SUGGESTIONS);
  return near.length === 0 ? [] : [`Did you mean ${near.join(' or ')}?`];
}
