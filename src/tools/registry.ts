/** All tools of this vault, and what they look like to a model. */
import { en } from 'zod/locales';
import * as z from 'zod/mini';
import type { Permission, Settings } from '#model/settings';
import type { ListedTool } from '#ports/agent';
import type { ToolSchema } from '#ports/model-stream';
import { jsonSchema } from './json-schema';
import type { AnyTool, Tool } from './tool';

// Without it every complaint would only say "Invalid input".
z.config(en());

export type ToolsEvent =
  | { readonly type: 'tool-registered'; readonly name: string }
  | { readonly type: 'tool-left'; readonly name: string };

/** A call's input as the tool takes it, or what was wrong with it, for the model. */
export type ValidInput =
  { readonly ok: true; readonly input: never } | { readonly ok: false; readonly problem: string };

export class ToolRegistry {
  readonly #tools = new Map<string, AnyTool>();
  readonly #listeners = new Set<(event: ToolsEvent) => void>();

  /** @throws when the name is taken or not one the model's API accepts: our own mistake, or a custom tool's */
  register(tool: AnyTool): void {
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(tool.name)) {
      throw new Error(`"${tool.name}" is no tool name: 1 to 64 of a-z, A-Z, 0-9, _ and -.`);
    }
    if (this.#tools.has(tool.name)) throw new Error(`A tool "${tool.name}" is registered already.`);
    this.#tools.set(tool.name, tool);
    this.#tell({ type: 'tool-registered', name: tool.name });
  }

  leave(name: string): void {
    if (this.#tools.delete(name)) this.#tell({ type: 'tool-left', name });
  }

  onChange(listener: (event: ToolsEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get(name: string): AnyTool | undefined {
    return this.#tools.get(name);
  }

  names(): string[] {
    return [...this.#tools.keys()];
  }

  /** What the model is told of the tools that are not off. */
  schemas(settings: Settings): ToolSchema[] {
    return [...this.#tools.values()]
      .filter((tool) => permissionOf(tool, settings) !== 'off')
      .map(({ name, description, input }) => ({ name, description, input: jsonSchema(input) }));
  }

  listed(settings: Settings): ListedTool[] {
    return [...this.#tools.values()].map((tool) => {
      const { name, agent, description, fixed = false } = tool;
      return { name, agent, description, fixed, permission: permissionOf(tool, settings) };
    });
  }

  #tell(event: ToolsEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

export function permissionOf(tool: AnyTool, settings: Settings): Permission {
  return tool.fixed ? tool.permission : (settings.tools[tool.name] ?? tool.permission);
}

/** Checks an input, and says what was wrong, what was expected, and what a valid call looks like. */
export function validInput(tool: AnyTool, input: unknown): ValidInput {
  const known = tool as unknown as Tool;
  const checked = known.input.safeParse(input);
  if (checked.success) return { ok: true, input: checked.data as never };
  const faults = checked.error.issues.slice(0, 5).map((issue) => {
    const where = issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
    return `- ${where}${issue.message}`;
  });
  return {
    ok: false,
    problem: [
      `The input of ${tool.name} is not valid, so nothing was done.`,
      ...faults,
      `A valid input is, for example: ${JSON.stringify(known.example)}`,
    ].join('\n'),
  };
}
