/**
 * Agents: groups of tools, of which each is one mode. Builds the schemas that present them to a
 * model.
 */
import type { ToolSchema } from '#ports/model-provider';
import { inputSchema } from '../json-schema';
import type { AnyTool } from '../tool';

export interface AgentFacts {
  /** Differs from the names of all tools. */
  readonly name: string;
  readonly version: number;
  /** For the model and the user. */
  readonly description: string;
}

/** Built-in agents, in the order in which they are presented to the model. */
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

/** The name of a tool prefixed with its agent's; without the prefix if that would be too long. */
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

/** False if the tool's own input has a `mode`, which would be ambiguous. */
export function canBeMode(tool: AnyTool): boolean {
  return !Object.hasOwn(inputOf(tool).properties, 'mode');
}

/** The fields of one mode. */
export interface ModeFields {
  readonly mode: string;
  readonly properties: Readonly<Record<string, Json>>;
  readonly required: readonly string[];
}

/** The exact input schema of an agent: each mode accepts only its own parameters. */
export function canonicalSchema(modes: readonly AnyTool[]): Json {
  return schemaByMode(
    modes.map(inputOf).map(({ tool, ...fields }) => ({ mode: tool.name, ...fields })),
  );
}

/** The schema of an object that has a `mode` and exactly the fields of that mode. */
export function schemaByMode(modes: readonly ModeFields[]): Json {
  return {
    type: 'object',
    properties: { mode: { type: 'string', enum: modes.map(({ mode }) => mode) } },
    required: ['mode'],
    allOf: modes.map(({ mode, properties, required }) => {
      const isMeant = { mode: { const: mode } };
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
 * A looser schema for the Claude API, which rejects `allOf` at the top: the parameters of all modes
 * together, each listing the modes it belongs to.
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
    description: agentDescription(agent, modes),
    input: {
      type: 'object',
      properties: { mode: { type: 'string', enum: tools }, ...Object.fromEntries(parameters) },
      required: ['mode', ...always],
      additionalProperties: false,
    },
    tools,
  };
}

/** What an agent is for, and its modes with their parameters. */
export function agentDescription(agent: AgentFacts, modes: readonly AnyTool[]): string {
  return [
    `${agent.description} The mode says what is done; each takes its own parameters:`,
    ...modes.map((tool) => `- ${signatureOf(inputOf(tool))}: ${tool.description}`),
  ].join('\n');
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
