import { describe, expect, it } from 'vitest';
import { permissionSet } from '#model/setting-choices';
import { fullRegistry, settingsWith, someTool } from '#tests/builders/registry';
import { permissionOf, ToolRegistry } from '#tools/registry';

/** The agents and tools after each change. */
function changesOf(registry: ToolRegistry): string[] {
  const changes: string[] = [];
  registry.onChange(() => {
    const agents = registry.agents().map(({ name }) => name);
    changes.push([...agents, ...registry.names()].join(' '));
  });
  return changes;
}

describe('Registering and removing tools', () => {
  it('the registry announces each tool, and has an agent while it has tools', () => {
    const registry = new ToolRegistry();
    const changes = changesOf(registry);
    registry.register(someTool('web_search'));
    registry.register(someTool('read_webpage'));
    registry.unregister('web_search');
    expect(registry.agents().map(({ name }) => name)).toEqual(['web']);
    registry.unregister('read_webpage');
    expect(registry.agents()).toEqual([]);
    expect(changes).toEqual([
      'web web_search',
      'web web_search read_webpage',
      'web read_webpage',
      '',
    ]);
  });

  it('an agent of its own can be registered, and is removed with its tools', () => {
    const registry = fullRegistry();
    registry.registerAgent({ name: 'weather', version: 1, description: 'Knows the weather.' });
    expect(registry.agents().map(({ name }) => name)).not.toContain('weather');
    registry.register(someTool('forecast', { agent: 'weather' }));
    registry.register(someTool('rain', { agent: 'weather' }));
    const changes = changesOf(registry);
    registry.unregisterAgent('weather');
    expect(changes).toHaveLength(2);
    expect(registry.agents().map(({ name }) => name)).not.toContain('weather');
    registry.registerAgent({ name: 'weather', version: 2, description: 'Knows it better.' });
  });

  it('a removed listener gets no more events', () => {
    const registry = new ToolRegistry();
    let changes = 0;
    const stop = registry.onChange(() => (changes += 1));
    stop();
    registry.register(someTool('web_search'));
    registry.unregister('never_there');
    expect(changes).toBe(0);
  });

  it('tools stay in the order of their agents when others come and go', () => {
    const registry = fullRegistry();
    const before = registry.names();
    registry.register(someTool('web_archive'));
    expect(registry.names().filter((name) => name !== 'web_archive')).toEqual(before);
    expect(registry.names().indexOf('web_archive')).toBeLessThan(registry.names().indexOf('plan'));
    registry.unregister('web_archive');
    expect(registry.names()).toEqual(before);
  });

  it.each([
    ['a name that a tool has', 'read_file', /A tool "read_file" is registered already/],
    ['the name of an agent', 'note_reader', /An agent "note_reader" is registered already/],
    ['the name of another', 'web', /An agent "web" is registered already/],
    ['a name that passes for another’s', 'vault_manager__move', /would pass for the tool "move"/],
    ['a name that the API does not take', 'read file', /can't be a tool name/],
  ])('tools and agents cannot be registered under %s', (_, name, words) => {
    const registry = fullRegistry();
    const changes = changesOf(registry);
    expect(() => registry.register(someTool(name))).toThrow(words);
    expect(() => registry.registerAgent({ name, version: 1, description: '' })).toThrow(words);
    expect(changes).toEqual([]);
  });

  it('a tool of an unknown agent cannot be registered', () => {
    const tool = someTool('forecast', { agent: 'weather' });
    expect(() => fullRegistry().register(tool)).toThrow(/"weather" .* is not registered/);
  });
});

describe('A disabled agent', () => {
  const settings = settingsWith({
    disabledAgents: ['conversation', 'vault_manager'],
    tools: { move: 'ask' },
  });

  it('a disabled agent has its tools off, except the fixed ones', () => {
    const registry = fullRegistry();
    const off = registry.tools().filter((tool) => permissionOf(tool, settings) === 'off');
    expect(off.map(({ name }) => name)).toEqual([
      ...['create_folder', 'move', 'copy', 'delete', 'copy_notes', 'open_note', 'execute_command'],
      ...['web_search', 'read_webpage'],
      ...[
        'plan',
        'send_message',
        'get_conversation',
        'get_changes',
        'undo_changes',
        'end_conversation',
      ],
    ]);
    const inForce = registry.enabledTools(settings).map(({ agent, name }) => `${agent} ${name}`);
    expect(inForce.filter((each) => each.startsWith('conversation'))).toEqual([
      'conversation ask_user',
      'conversation done',
    ]);
  });

  it('a disabled agent is listed with the permissions that apply when it is enabled', () => {
    const manager = fullRegistry()
      .listed()
      .find(({ name }) => name === 'vault_manager');
    const now = manager?.tools.map(({ name, key, permission }) => [
      name,
      permissionSet(settings, key, permission),
    ]);
    expect(now).toEqual([
      ['create_folder', 'allow'],
      ['move', 'ask'],
      ['copy', 'allow'],
      ['delete', 'ask'],
      ['copy_notes', 'allow'],
      ['open_note', 'allow'],
      ['execute_command', 'off'],
    ]);
  });
});
