import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asCalled, type CallPart } from '#model/message';
import { DEFAULT_SETTINGS } from '#model/settings';
import { memoryBench } from '#tests/builders/tools';
import { fullRegistry } from '#tests/builders/registry';
import { resolveCall, calledName, unknownTool } from '#tools/presentation/resolve-call';
import { validInput } from '#tools/input-validation';

const registry = fullRegistry();

function called(name: string, input: Record<string, unknown> = {}): CallPart {
  return { type: 'call', wireId: 'w1', name, input };
}

describe('calledTool', () => {
  it.each([
    ['by the tool’s own name', called('edit_file', { path: 'A.md' })],
    ['of an agent in a mode', called('note_editor', { mode: 'edit_file', path: 'A.md' })],
    ['with its mode behind', called('note_editor', { path: 'A.md', mode: 'edit_file' })],
    ['by a name with its agent’s', called('note_editor__edit_file', { path: 'A.md' })],
  ])('a call %s resolves to the tool', (_, part) => {
    expect(resolveCall(part, registry)).toMatchObject({
      name: 'edit_file',
      input: { path: 'A.md' },
    });
    expect(JSON.stringify(asCalled(resolveCall(part, registry)))).toBe(JSON.stringify(part));
  });

  it('asSaid restores any resolved call byte for byte', () => {
    const agents = registry.agents().map(({ name }) => name);
    const names = fc.constantFrom(...agents, ...registry.names(), 'note_editor__move', 'web', 'x');
    const modes = fc.oneof(fc.constantFrom(...registry.names(), 'x'), fc.integer());
    fc.assert(
      fc.property(names, modes, fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(9), (...all) => {
        const [name, mode, others, at] = all;
        const fields = Object.entries(others).filter(([field]) => field !== 'mode');
        const input = Object.fromEntries(fields.toSpliced(at, 0, ['mode', mode]));
        const part = called(name, input);
        expect(JSON.stringify(asCalled(resolveCall(part, registry)))).toBe(JSON.stringify(part));
      }),
    );
  });

  it.each([
    [
      'note_editor',
      { mode: 'rewrite' },
      /^note_editor has no mode "rewrite"\. The modes of note_editor are: write_file, edit_file/,
    ],
    [
      'note_editor',
      { mode: 'move' },
      /^note_editor has no mode "move"\. That is a mode of vault_manager\. The modes/,
    ],
    ['note_editor', { path: 'A.md' }, /^note_editor needs a mode\. The modes/],
    [
      'note_editor',
      { mode: 'edit_note' },
      /^note_editor has no mode "edit_note"\. Did you mean edit_file\? The modes/,
    ],
    [
      'note_writer',
      { mode: 'edit_file' },
      /^There is no agent "note_writer"\. edit_file is a mode of note_editor\. The agents are: note_reader, /,
    ],
    ['rewrite', {}, /^There is no tool "rewrite"\. The tools are: read_file/],
    ['edit_note', {}, /^There is no tool "edit_note"\. Did you mean edit_file\? The tools are/],
    ['note_editor__edit_fil', {}, /Did you mean edit_file\?/],
  ])(
    'an unknown call of %s with %j is answered with the available modes or tools',
    (name, input, words) => {
      const part = resolveCall(called(name, input), registry);
      expect(part).toEqual(called(name, input));
      expect(unknownTool(part, registry.enabledTools(DEFAULT_SETTINGS))).toMatch(words);
    },
  );

  it('an unknown tool is answered only with tools that are enabled', () => {
    const settings = {
      ...DEFAULT_SETTINGS,
      tools: { edit_file: 'off' },
      disabledAgents: ['vault_manager'],
    } as const;
    const enabled = registry.enabledTools(settings);
    const told = unknownTool(called('edit_note'), enabled);
    for (const off of ['edit_file', 'move', 'delete', 'execute_command', 'web_search']) {
      expect(told).not.toMatch(new RegExp(`\\b${off}\\b`));
    }
    const mode = called('note_editor', { mode: 'edit_fil' });
    expect(unknownTool(mode, enabled)).not.toMatch(/\bedit_file\b/);
    const agent = called('vault_manager', { mode: 'x' });
    expect(unknownTool(agent, enabled)).toMatch(/^There is no agent "vault_manager"\./);
  });

  it('a call with cut-off input resolves to its mode only if the mode can be read safely', () => {
    const cut = { ...called('note_editor'), malformed: '{"mode": "write_file", "content": "Lo' };
    expect(resolveCall(cut, registry)).toMatchObject({ name: 'write_file', input: {} });
    expect(asCalled(resolveCall(cut, registry))).toEqual(cut);
    const early = {
      ...called('note_editor'),
      malformed: '{"content": "The \\"mode\\": \\"move\\"',
    };
    expect(resolveCall(early, registry)).toBe(early);
  });
});

describe('The test bench', () => {
  it('the bench accepts a call of an agent with a mode', async () => {
    await using bench = memoryBench({ 'A.md': 'Beans.\n' });
    const read = await bench.expectSuccess('note_reader', { mode: 'read_file', path: 'A.md' });
    expect(read).toBe(await bench.expectSuccess('read_file', { path: 'A.md' }));
    expect(await bench.expectFailure('note_reader', { mode: 'read' })).toContain(
      'has no mode "read"',
    );
  });
});

describe('An invalid input', () => {
  const faultOf = (part: CallPart) => {
    const meant = resolveCall(part, registry);
    const valid = validInput(registry.get(meant.name)!, meant, registry);
    return valid.ok ? '' : valid.reason;
  };

  it('the problem names the agent and mode of the call, and the mode that owns a stray parameter', () => {
    const part = called('note_editor', { mode: 'edit_file', path: 'A.md', content: 'x' });
    const told = faultOf(part);
    expect(told).toContain('The input of note_editor with the mode edit_file is not valid');
    expect(told).toContain('"content" (content is a parameter of write_file)');
    const example = /for example: (.*)$/.exec(told)?.[1] ?? '';
    expect(Object.keys(JSON.parse(example) as object)).toEqual(['mode', 'path', 'edits']);
    expect(faultOf(called('note_editor', JSON.parse(example) as CallPart['input']))).toBe('');
  });

  it('the problem names no mode when the tool was called by its own name', () => {
    const told = faultOf(called('delete', { path: 'A.md', destination: 'B.md' }));
    expect(told).toContain('The input of delete is not valid');
    expect(told).toContain('(destination is a parameter of move, copy)');
    expect(told).not.toContain('"mode"');
    expect(calledName(resolveCall(called('vault_manager__delete'), registry))).toBe(
      'vault_manager__delete',
    );
  });
});
