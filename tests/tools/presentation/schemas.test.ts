/** The schemas of the tools, checked with a JSON Schema validator. */
import Ajv from 'ajv';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { fullRegistry, PRESENTATIONS, settingsWith, someTool } from '#tests/builders/registry';
import type { ToolSchema } from '#ports/model-provider';
import { ALL_TOOLS } from '#tools/all-tools';
import { AGENTS, agentSchema, canonicalSchema } from '#tools/presentation/agent-presentation';
import { fieldsOf } from '#tools/json-schema';
import { mcpResult, mcpTool, toolSchemas } from '#tools/presentation/presentation';
import { problem, text, type Tool } from '#tools/tool';

const registry = fullRegistry();
const agents = registry
  .agents()
  .map((agent) => [agent.name, registry.toolsOf(agent.name)] as const);

function validator(schema: object): (value: unknown) => boolean {
  const check = new Ajv({ allErrors: true }).compile(schema);
  return (value) => check(value) === true;
}

function exampleOf(tool: object): Record<string, unknown> {
  return (tool as Tool).example as Record<string, unknown>;
}

function presentedAs(presentation: (typeof PRESENTATIONS)[number]): ToolSchema[] {
  return toolSchemas(
    registry,
    settingsWith({
      toolPresentation: presentation,
      tools: { execute_command: 'allow', web_search: 'allow', read_webpage: 'allow' },
    }),
  );
}

describe.each(PRESENTATIONS)('Tools presented as %s', (presentation) => {
  const schemas = presentedAs(presentation);

  it('the schemas cover all tools and accept the example of each', () => {
    const tools = new Map(ALL_TOOLS.map((tool) => [tool.name, tool]));
    const all = schemas.flatMap(({ name, tools: standFor = [name] }) => standFor);
    expect(all).toEqual(ALL_TOOLS.map(({ name }) => name));
    for (const { name, input, tools: standFor = [name] } of schemas) {
      const isValid = validator(input);
      for (const each of standFor) {
        const mode = presentation === 'agents' ? { mode: each } : {};
        expect([each, isValid({ ...mode, ...exampleOf(tools.get(each)!) })]).toEqual([each, true]);
      }
    }
  });

  it('the schemas have valid names, and no top-level keyword that the Claude API refuses', () => {
    for (const { name, input } of schemas) {
      expect(Object.keys(input)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(all|any|one)Of$/)]),
      );
      expect(input['type']).toBe('object');
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    }
    expect(new Set(schemas.map(({ name }) => name)).size).toBe(schemas.length);
  });

  it('the schemas are byte for byte the same each time', () => {
    expect(JSON.stringify(presentedAs(presentation))).toBe(JSON.stringify(schemas));
  });
});

describe.each(agents)('The canonical schema of %s', (_, modes) => {
  const isValid = validator(canonicalSchema(modes));

  it('the schema accepts for each mode the input of its tool', () => {
    for (const tool of modes) {
      expect(isValid({ ...exampleOf(tool), mode: tool.name })).toBe(true);
      expect(isValid(exampleOf(tool))).toBe(false);
      expect(isValid({ ...exampleOf(tool), mode: `${tool.name}s` })).toBe(false);
      expect(isValid({ ...exampleOf(tool), mode: tool.name, stray: 1 })).toBe(false);
    }
  });

  it('the schema refuses parameters that only other modes have', () => {
    for (const tool of modes) {
      for (const other of modes) {
        const both = { ...exampleOf(other), ...exampleOf(tool) };
        const own = new Set(Object.keys(fieldsOf(tool.input)));
        const isOwn = Object.keys(both).every((field) => own.has(field));
        expect(isValid({ ...both, mode: tool.name })).toBe(isOwn);
      }
    }
  });
});

describe('The flattened schema of an agent', () => {
  const editor = presentedAs('agents').find(({ name }) => name === 'note_editor')!;
  const properties = editor.input['properties'] as Record<string, Record<string, unknown>>;

  it("each parameter's description names the modes that have it", () => {
    for (const [name, { description }] of Object.entries(properties)) {
      if (name === 'mode') continue;
      const own = ALL_TOOLS.filter(({ agent }) => agent === 'note_editor').filter(({ input }) =>
        Object.hasOwn(fieldsOf(input), name),
      );
      for (const tool of own) expect(description).toContain(tool.name);
    }
    expect(properties['content']?.['description']).toBe('write_file');
  });

  it('the description lists each mode with its parameters', () => {
    expect(editor.description).toContain('\n- write_file(content, path?, folder?): Creates a note');
    expect(editor.description).toContain('\n- edit_file(path, edits): ');
  });

  it('a parameter that has different types in two modes accepts both', () => {
    const web = AGENTS.find(({ name }) => name === 'web')!;
    const modes = [
      someTool('search', { input: z.strictObject({ limit: z.int() }) as never }),
      someTool('read', { input: z.strictObject({ limit: z.string() }) as never }),
    ];
    const { input } = agentSchema(web, modes);
    const isValid = validator(input);
    expect(isValid({ mode: 'search', limit: 3 })).toBe(true);
    expect(isValid({ mode: 'read', limit: 'three' })).toBe(true);
    expect(isValid({ mode: 'read', limit: true })).toBe(false);
    expect(input['required']).toEqual(['mode', 'limit']);
  });

  it('a parameter may be named like a property of Object.prototype', () => {
    const web = AGENTS.find(({ name }) => name === 'web')!;
    const modes = [
      someTool('search'),
      someTool('read', { input: z.strictObject({ constructor: z.string() }) as never }),
    ];
    const { input } = agentSchema(web, modes);
    expect(validator(input)({ mode: 'read', constructor: 'x' })).toBe(true);
    expect(validator(input)({ mode: 'read', constructor: 1 })).toBe(false);
    expect(input['required']).toEqual(['mode']);
  });

  it('a tool that has its own mode parameter is presented separately', () => {
    const own = fullRegistry();
    own.register(someTool('wash', { input: z.strictObject({ mode: z.string() }) as never }));
    own.register(someTool('dry'));
    const names = toolSchemas(own, settingsWith({ toolPresentation: 'agents' })).map(
      ({ name, tools }) => [name, tools],
    );
    expect(names).toContainEqual(['web', ['dry']]);
    expect(names).toContainEqual(['wash', undefined]);
  });

  it('an agent lists only enabled modes, and disappears with the last one', () => {
    const settings = settingsWith({
      toolPresentation: 'agents',
      disabledAgents: ['conversation', 'vault_manager'],
      tools: { write_file: 'off' },
    });
    const modes = new Map(toolSchemas(registry, settings).map(({ name, tools }) => [name, tools]));
    expect(modes.get('conversation')).toEqual(['ask_user', 'done']);
    expect(modes.has('vault_manager')).toBe(false);
    expect(modes.get('note_editor')).not.toContain('write_file');
  });
});

describe('Tools in MCP format', () => {
  const listed = new Map(ALL_TOOLS.map((tool) => [tool.name, { tool, told: mcpTool(tool) }]));

  it('the annotations say whether a tool reads, changes or destroys', () => {
    const hints = (name: string) => listed.get(name)?.told.annotations;
    expect(hints('read_file')).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(hints('delete')).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(hints('add_tags')).toMatchObject({ readOnlyHint: false, destructiveHint: false });
    expect(mcpTool(someTool('web_search')).annotations.openWorldHint).toBe(true);
  });

  it.each(ALL_TOOLS.map((tool) => [tool.name]))('results of %s match its output schema', (name) => {
    const { tool, told } = listed.get(name)!;
    const isValid = validator(told.outputSchema);
    const [good, bad] = [mcpResult(tool, text('Fine.')), mcpResult(tool, problem('Not found.'))];
    expect(good).toMatchObject({ isError: false, structuredContent: { success: true } });
    expect(bad.structuredContent).toEqual({ success: false, error: 'Not found.' });
    expect(bad.isError).toBe(true);
    expect([isValid(good.structuredContent), isValid(bad.structuredContent)]).toEqual([true, true]);
    expect(validator(told.inputSchema)(exampleOf(tool))).toBe(true);
  });

  it('a tool may define its own structured result', () => {
    const { tool, told } = listed.get('done')!;
    const result = text('Ends.', { kind: 'done', outcome: 'partly', summary: 'Half of it.' });
    const { structuredContent } = mcpResult(tool, result);
    expect(structuredContent).toEqual({ success: true, outcome: 'partly', summary: 'Half of it.' });
    expect(validator(told.outputSchema)(structuredContent)).toBe(true);
    expect(validator(told.outputSchema)({ ...structuredContent, outcome: 'great' })).toBe(false);
  });
});
