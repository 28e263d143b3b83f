/** Names of the values that settings offer, alike wherever the user chooses one. */
import type { LogArea, LogLevel } from '#model/log';
import type {
  EditableScope,
  Mode,
  SearchProvider,
  Thinking,
  ToolPresentation,
} from '#model/setting-choices';

export const MODE_NAMES: Readonly<Record<Mode, string>> = {
  'read-only': 'Read only',
  review: 'Review',
  apply: 'Apply',
};

export const THINKING_NAMES: Readonly<Record<Thinking, string>> = {
  auto: 'Automatic',
  low: 'Low: faster and cheaper',
  medium: 'Medium',
  high: 'High: best for complex tasks',
  off: 'Off',
};

export const SCOPE_NAMES: Readonly<Record<EditableScope, string>> = {
  vault: 'All notes',
  context: 'Attached notes',
  linked: 'The open note and notes it links to',
  current: 'The open note',
};

export const PROVIDER_NAMES: Readonly<Record<SearchProvider, string>> = {
  '': 'None',
  anthropic: 'Anthropic',
  brave: 'Brave Search',
  tavily: 'Tavily',
  serper: 'Serper',
};

export const PRESENTATION_NAMES: Readonly<Record<ToolPresentation, string>> = {
  flat: 'Flat',
  agents: 'Grouped',
  mcp: 'MCP',
};

export const LOG_LEVEL_NAMES: Readonly<Record<LogLevel, string>> = {
  off: 'Off',
  problems: 'Problems',
  everything: 'Everything',
};

export const LOG_AREA_TEXTS: Readonly<
  Record<LogArea, { readonly name: string; readonly desc: string }>
> = {
  requests: { name: 'Requests', desc: 'How each request began and ended.' },
  model: { name: 'Model calls', desc: 'Tokens, time, retries and failures.' },
  tools: {
    name: 'Tool calls',
    desc: 'Which of Parley’s tools ran, how long they took, and why one failed.',
  },
  mcp: { name: 'MCP servers', desc: 'When servers start, stop and fail.' },
  voice: { name: 'SmartHole', desc: 'The state of the connection.' },
  settings: { name: 'Settings', desc: 'That settings changed, not what they are.' },
};
