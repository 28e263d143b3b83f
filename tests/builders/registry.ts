/** Builders for tool registries, tools and settings. */
import * as z from 'zod/mini';
import { DEFAULT_SETTINGS, type Settings } from '#model/settings';
import type { ToolPresentation } from '#model/setting-choices';
import { ALL_TOOLS } from '#tools/all-tools';
import { ToolRegistry } from '#tools/registry';
import { defineTool, text, type AnyTool } from '#tools/tool';

export const PRESENTATIONS: readonly ToolPresentation[] = ['flat', 'agents', 'mcp'];

/** A registry with all tools that come with Parley. */
export function fullRegistry(): ToolRegistry {
  const registry = new ToolRegistry();
  for (const tool of ALL_TOOLS) registry.register(tool);
  return registry;
}

export function someTool(name: string, parts: Partial<AnyTool> = {}): AnyTool {
  return defineTool<object>({
    name,
    version: 1,
    agent: 'web',
    effect: 'read',
    permission: 'allow',
    description: `Does ${name}.`,
    input: z.strictObject({}),
    example: {},
    run: async () => text('It is done.'),
    ...(parts as object),
  });
}

export function settingsWith(settings: Partial<Settings>): Settings {
  return { ...DEFAULT_SETTINGS, ...settings };
}
