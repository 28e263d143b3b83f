/** The agents: groups of tools, each tool being one mode of its agent. */
import type { ToolSchema } from '#ports/model-provider';
import { inputSchema } from '../json-schema';
import type { AnyTool } from '../tool';

export interface AgentFacts {
  /** No tool's name. */
  readonly name: string;
  readonly version: number;
  /** For a model and for the user alike. */
  readonly description: string;
}

/** Those that come with Parley, in the order in which a model is told of them. */
export const AGENTS: readonly AgentFacts[] = [
  {
    name: 'note_reader',
    version: 1,
    description: 'Reads notes and other files, their properties and details.',
  },
  { name: 'note_editor', version: 1, description: 'Creates notes and changes their text.' },
  {
    name: 'vault_librarian',
    version: 1,
    description: 'Finds notes, tags and links, and shows how the vault is organized.',
  },
  {
    name: 'vault_manager',
    version: 1,
    description: 'Moves, deletes and opens files, and creates folders.',
  },
  { name: 'web', version: 1, description: 'Searches the web and reads pages.' },
  {
    name: 'conversation',
    version: 1,
    description: 'Plans, asks and informs the user, looks up past conversations, ends the turn.',
  },
];

const MAX_NAME_CHARS = 64;

/** The name of a tool with its agent's before it, where that is not longer than a name may be. */
export function longName({
  agent,
  name,
}: {
  readonly agent: string;
  readonly name: string;
}): string {
  const whole = `${agent}__${name}`;
  return whole.length > MAX_NAME_CHARS ? name : whole;
}

type Json = Readonly<Record<string, unknown>>;

interface Input {
  readonly tool: AnyTool;
  readonly properties: Readonly<Record<string, Json>>;
  readonly required: readonly string[];
}

function inputOf(tool: AnyTool): Input {
  const { properties = {}, required = [] } = inputSchema(tool) as Partial<Input>;
  return { tool, properties, required };
}

/** One whose own input has a `mode` would not know whether it is meant. */
export function canBeMode(tool: AnyTool): boolean {
  return !Object.hasOwn(inputOf(tool).properties, 'mode');
}

/** What an agent takes, to the letter: of each mode its own parameters and no others. */
export function canonicalSchema(modes: readonly AnyTool[]): Json {
  return {
    type: 'object',
    properties: { mode: { type: 'string', enum: modes.map(({ name }) => name) } },
    required: ['mode'],
    allOf: modes.map(inputOf).map(({ tool, properties, required }) => {
      const isMeant = { mode: { const: tool.name } };
      return {
        if: { properties: isMeant, required: ['mode'] },
        then: {
          properties: { ...isMeant, ...properties },
          ...(required.length > 0 ? { required } : {}),
          additionalProperties: false,
        },
      };
    }),
  };
}

/**
 * The same for Claude's API, which refuses `allOf` at the top: the parameters of all modes beside each other, each
 * saying which modes it belongs to.
 */
export function agentSchema(agent: AgentFacts, modes: readonly AnyTool[]): ToolSchema {
  const inputs = modes.map(inputOf);
  const names = new Set(inputs.flatMap(({ properties }) => Object.keys(properties)));
  const parameters = [...names].map((name) => [name, mergedParameter(name, inputs)] as const);
  const always = [...names].filter((name) =>
    inputs.every(({ required }) => required.includes(name)),
  );
  const tools = modes.map(({ name }) => name);
  return {
    name: agent.name,
    description: [
      `${agent.description} The mode says what is done; each takes its own parameters:`,
      ...inputs.map((input) => `- ${signatureOf(input)}: ${input.tool.description}`),
    ].join('\n'),
    input: {
      type: 'object',
      properties: { mode: { type: 'string', enum: tools }, ...Object.fromEntries(parameters) },
      required: ['mode', ...always],
      additionalProperties: false,
    },
    tools,
  };
}

function signatureOf({ tool, properties, required }: Input): string {
  const names = Object.keys(properties).map((name) =>
    required.includes(name) ? name : `${name}?`,
  );
  return `${tool.name}(${names.join(', ')})`;
}

function mergedParameter(name: string, inputs: readonly Input[]): Json {
  const forms = new Map<string, Json>();
  const modesBy = new Map<string, string[]>();
  for (const { tool, properties } of inputs) {
    if (!Object.hasOwn(properties, name)) continue;
    const { description = '', ...form } = properties[name] ?? {};
    forms.set(JSON.stringify(form), form);
    const words = String(description);
    modesBy.set(words, [...(modesBy.get(words) ?? []), tool.name]);
  }
  const lines = [...modesBy].map(([words, modes]) =>
    [modes.join(', '), words].filter((part) => part !== '').join(': '),
  );
  const [form = {}, ...others] = forms.values();
  const merged = others.length === 0 ? form : { anyOf: [form, ...others] };
  return { ...merged, description: lines.join('\n') };
}
