/**
 * Finds the tool that a call means. The presentation may change during a conversation while the
 * model keeps calling as before, so every form of call is accepted in every presentation.
 */
import type { CallPart } from '#model/message';
import type { Settings } from '#model/settings';
import { closeMatches } from '#policy/look-up';
import { longName, canBeMode } from './agent-presentation';
import type { ToolRegistry } from '../registry';
import type { AnyTool } from '../tool';

/** The call with the name and input of the tool it means; unchanged if there is no such tool. */
export function resolveCall(part: CallPart, registry: ToolRegistry): CallPart {
  const { name, input } = part;
  if (registry.get(name)) return part;
  const tool = registry.toolsOf(name).find((each) => each.name === input['mode']);
  if (tool) {
    const fields = Object.entries(input);
    const at = fields.findIndex(([field]) => field === 'mode');
    const own = Object.fromEntries(fields.toSpliced(at, 1));
    return { ...part, name: tool.name, input: own, calledAs: { name, mode: at } };
  }
  const named = registry.tools().find((each) => longName(each) === name);
  return named ? { ...part, name: named.name, calledAs: { name } } : part;
}

/** The call exactly as the model made it, byte for byte. */
export function asCalled(part: CallPart): CallPart {
  if (!part.calledAs) return part;
  const { calledAs, ...meant } = part;
  if (calledAs.mode === undefined) return { ...meant, name: calledAs.name };
  const fields = Object.entries(part.input).toSpliced(calledAs.mode, 0, ['mode', part.name]);
  return { ...meant, name: calledAs.name, input: Object.fromEntries(fields) };
}

/** How the model named the tool, for messages to it. */
export function calledName({ name, calledAs }: CallPart): string {
  if (!calledAs) return name;
  return calledAs.mode === undefined ? calledAs.name : `${calledAs.name} with the mode ${name}`;
}

/**
 * The answer to a call of an unknown tool. It lists enabled tools only, under the names that the
 * model was given.
 */
export function unknownTool(
  { name, input }: CallPart,
  registry: ToolRegistry,
  settings: Settings,
): string {
  const { mode } = input;
  const tools = registry.enabledTools(settings);
  const modes = tools.filter(({ agent }) => agent === name);
  if (modes.length > 0) {
    const elsewhere = tools.find((tool) => tool.name === mode && tool.agent !== name);
    return [
      mode === undefined ? `${name} needs a mode.` : `${name} has no mode ${JSON.stringify(mode)}.`,
      ...(elsewhere ? [`That is a mode of ${elsewhere.agent}.`] : didYouMean(mode, modes)),
      `The modes of ${name} are: ${modes.map((tool) => tool.name).join(', ')}.`,
    ].join(' ');
  }
  const isAgent = mode !== undefined && registry.get(name) === undefined;
  const target = typeof mode === 'string' && tools.some((tool) => tool.name === mode) ? mode : name;
  const offered = presentedNames(tools, registry, settings);
  const show = (tool: AnyTool) => presentedName(tool, settings);
  const near = didYouMean(target, tools, show);
  const agents = settings.toolPresentation === 'agents';
  const nearAgents = agents && near.length === 0 ? didYouMean(name, registry.agents()) : [];
  return [
    `There is no ${isAgent ? 'agent' : 'tool'} "${name}".`,
    ...(near.length > 0 ? near : nearAgents),
    `The tools are: ${offered.join(', ')}.`,
  ].join(' ');
}

const MAX_SUGGESTIONS = 3;

function didYouMean<Named extends Pick<AnyTool, 'name'>>(
  given: unknown,
  among: readonly Named[],
  show: (named: Named) => string = ({ name }) => name,
): string[] {
  if (typeof given !== 'string') return [];
  const bare = given.replace(/^.*__/, '');
  const names = among.map(({ name }) => name);
  const near = names.includes(bare) ? [bare] : closeMatches(bare, names, MAX_SUGGESTIONS);
  if (near.length === 0) return [];
  const shown = near.flatMap((name) => among.filter((each) => each.name === name).map(show));
  return [`Did you mean ${shown.join(' or ')}?`];
}

function presentedName(tool: AnyTool, { toolPresentation }: Settings): string {
  switch (toolPresentation) {
    case 'flat':
      return tool.name;
    case 'mcp':
      return longName(tool);
    case 'agents':
      return canBeMode(tool) ? `${tool.agent} with the mode ${tool.name}` : tool.name;
  }
}

/** Agents appear by name only, since their schemas list the modes. */
function presentedNames(
  tools: readonly AnyTool[],
  registry: ToolRegistry,
  settings: Settings,
): string[] {
  if (settings.toolPresentation !== 'agents') {
    return tools.map((tool) => presentedName(tool, settings));
  }
  return registry.agents().flatMap(({ name }) => {
    const own = tools.filter(({ agent }) => agent === name);
    const alone = own.filter((tool) => !canBeMode(tool)).map((tool) => tool.name);
    return own.some(canBeMode) ? [name, ...alone] : alone;
  });
}
