/** The values that settings offer to choose from. */

export type Permission = 'allow' | 'ask' | 'off';

/** Of tools, by key; only those that differ from the tool's default. */
export type Permissions = Readonly<Record<string, Permission>>;

/**
 * How much a model reasons before it answers. With `auto` the model decides; what a model does not
 * offer counts as `auto`.
 */
export const THINKING_LEVELS = ['auto', 'low', 'medium', 'high', 'off'] as const;

export type Thinking = (typeof THINKING_LEVELS)[number];

/** '' turns web search off. */
export type SearchProvider = '' | 'anthropic' | 'brave' | 'tavily' | 'serper';

export type ToolPresentation = 'flat' | 'agents' | 'mcp';

/**
 * What a turn may do to notes. `read-only`: nothing. `review`: propose changes for the user to
 * review. `apply`: change notes directly, with undo.
 */
export const MODES = ['read-only', 'review', 'apply'] as const;

export type Mode = (typeof MODES)[number];

/**
 * Notes the agent may change, in addition to those created in the conversation. `current`: the note
 * that was active when the user asked. `linked`: that note and those it links to. `context`:
 * everything attached.
 */
export const EDITABLE_SCOPES = ['current', 'linked', 'context', 'vault'] as const;

export type EditableScope = (typeof EDITABLE_SCOPES)[number];

/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export const ANTHROPIC_ENDPOINT = 'https://api.anthropic.com';

/** Whether an endpoint is Anthropic's own; any other needs compatibility mode. */
export function isAnthropic(endpoint: string): boolean {
  return URL.canParse(endpoint) && new URL(endpoint).origin === ANTHROPIC_ENDPOINT;
}

/**
 * The permission of a tool for which none is set, by its key. The key of an MCP server's tool
 * contains a space.
 */
export function defaultPermission(key: string): Permission {
  if (key === 'delete' || key.includes(' ')) return 'ask';
  return ['execute_command', 'web_search', 'read_webpage'].includes(key) ? 'off' : 'allow';
}

/** The user's permission for a tool by its key, or `fallback` if none is set. */
export function permissionSet(
  { tools }: { readonly tools: Permissions },
  key: string,
  fallback: Permission,
): Permission {
  // A tool may have the name of an inherited property, such as `constructor`.
  return (Object.hasOwn(tools, key) ? tools[key] : undefined) ?? fallback;
}
