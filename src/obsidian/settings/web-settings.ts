/** The settings of searching and reading the web. */
import { SecretComponent, type App } from 'obsidian';
import type { Permission, SearchProvider, Settings } from '#model/settings';
import type { Agent } from '#ports/agent';
import type { Name, Row } from './setting-rows';

const PROVIDERS: Record<SearchProvider, string> = {
  '': 'None',
  anthropic: 'Anthropic',
  brave: 'Brave Search',
  tavily: 'Tavily',
  serper: 'Serper',
};

export function webSettings(
  app: App,
  agent: Pick<Agent, 'settings'>,
  keep: (name: Name, value: string) => Promise<void>,
): Row[] {
  const provider: Row = {
    name: 'Web search',
    desc: 'Who searches the web for the agent, and is sent what it searches for. Choosing one allows both web tools, which you can set one by one under Permissions. Anthropic’s search works with Anthropic’s endpoint only and costs extra for each search.',
    aliases: ['internet', 'online', 'Brave', 'Tavily', 'Serper', 'Google', 'browse'],
    control: { type: 'dropdown', key: 'searchProvider', options: PROVIDERS },
  };
  const key: Row = {
    name: 'Web search key',
    desc: 'From Brave, Tavily or Serper. Kept in the secret storage of this computer and sent to that provider only.',
    render: (setting) => {
      new SecretComponent(app, setting.controlEl)
        .setValue(agent.settings().searchKeyName)
        .onChange((name) => void keep('searchKeyName', name));
    },
  };
  return ['', 'anthropic'].includes(agent.settings().searchProvider) ? [provider] : [provider, key];
}

/** What else changes with the choice of who searches. */
export function changedWith(provider: unknown, now: Settings): Partial<Settings> {
  const { web_search: _search, read_webpage: page, ...others } = now.tools;
  const allow: Permission = 'allow';
  // What the user has set for reading alone stays.
  const without = page && page !== allow ? { ...others, read_webpage: page } : others;
  const both = { ...others, web_search: allow, read_webpage: allow };
  const tools = provider === '' ? without : now.searchProvider === '' ? both : now.tools;
  // No provider is sent the key of another.
  return { tools, searchKeyName: `parley-${String(provider) || 'search'}-key` };
}
