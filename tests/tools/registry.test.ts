import { describe, expect, it } from 'vitest';
import { permissionSet } from '#model/setting-choices';
import { fullRegistry, settingsWith, someTool } from '#tests/builders/registry';
import { permissionOf, ToolRegistry, type ToolsEvent } from '#tools/registry';

function told(registry: ToolRegistry): string[] {
  const events: string[] = [];
  registry.onChange(({ type, name }: ToolsEvent) => events.push(`${type} ${name}`));
  return events;
}

describe('Registering and removing tools', () => {
  it('the registry announces tools, and an agent with its first and last tool', () => {
    const registry = new ToolRegistry();
    const events = told(registry);
    registry.register(someTool('web_search'));
    registry.register(someTool('read_webpage'));
    registry.unregister('web_search');
    expect(registry.agents().map(({ name }) => name)).toEqual(['web']);
    registry.unregister('read_webpage');
    expect(registry.agents()).toEqual([]);
    expect(events).toEqual([
      'agent-registered web',
      'tool-registered web_search',
      'tool-registered read_webpage',
      'tool-left web_search',
      'tool-left read_webpage',
      'agent-left web',
    ]);
  });

  it('an agent of its own can be registered, and is removed with its tools', () => {
    const registry = fullRegistry();
    registry.registerAgent({ name: 'weather', version: 1, description: 'Knows the weather.' });
    expect(registry.agents().map(({ name }) => name)).not.toContain('weather');
    registry.register(someTool('forecast', { agent: 'weather' }));
    registry.register(someTool('rain', { agent: 'weather' }));
    const events = told(registry);
    registry.unregisterAgent('weather');
    expect(events).toEqual(['tool-left forecast', 'tool-left rain', 'agent-left weather']);
    registry.registerAgent({ name: 'weather', version: 2, description: 'Knows it better.' });
  });

  it('a removed listener gets no more events', () => {
    const registry = new ToolRegistry();
    const events: string[] = [];
    const stop = registry.onChange(({ name }) => events.push(name));
    stop();
    registry.register(someTool('web_search'));
    registry.unregister('never_there');
    expect(events).toEqual([]);
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
    const events = told(registry);
    expect(() => registry.register(someTool(name))).toThrow(words);
    expect(() => registry.registerAgent({ name, version: 1, description: '' })).toThrow(words);
    expect(events).toEqual([]);
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
      ...['create_folder', 'move', 'delete', 'copy_notes', 'open_note', 'execute_command'],
      ...['web_search', 'read_webpage'],
      ...['plan', 'send_message', 'get_conversation', 'end_conversation'],
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
      ['delete', 'ask'],
      ['copy_notes', 'allow'],
      ['open_note', 'allow'],
      ['execute_command', 'off'],
    ]);
  });
});
