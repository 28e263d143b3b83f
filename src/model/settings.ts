/** The settings, their defaults, and the choices each of them offers. */
import type { ContextPreset } from './attachment';
import { DEFAULT_LOG_LEVELS, type LogArea, type LogLevel } from './log';
import { type McpServer, serverIdentity } from './mcp-server';

export type Permission = 'allow' | 'ask' | 'off';

/**
 * How much a model reasons before it answers. With `auto` the model decides; what a model does not
 * offer counts as `auto`.
 */
export const THINKING_LEVELS = ['auto', 'low', 'medium', 'high', 'off'] as const;

export type Thinking = (typeof THINKING_LEVELS)[number];

/** '' turns web search off. */
export type SearchProvider = '' | 'anthropic' | 'brave' | 'tavily' | 'serper';

export type ToolPresentation = 'flat' | 'agents' | 'mcp';

export interface Settings {
  /** Name of the key in Obsidian's secret storage, never the key itself. */
  readonly apiKeyName: string;
  readonly model: string;
  readonly thinking: Thinking;
  /** Without `/v1`. */
  readonly endpoint: string;
  /** For servers with an older form of the API: no thinking, no cache marks, the old headers. */
  readonly compatibility: boolean;
  readonly vaultOrganization: string;
  readonly instructions: string;
  /** Minutes. */
  readonly idleMinutes: number;
  readonly questionTimeoutMinutes: number;
  /** Default mode of conversations that have none set, by the source of the turn. */
  readonly panelMode: Mode;
  readonly smartHoleMode: Mode;
  /** Tag without `#` below each proposed edit, so that users can search for it. */
  readonly proposalTag: string;
  /** Only permissions that differ from the tool's default. */
  readonly tools: Readonly<Record<string, Permission>>;
  /** Agents whose tools are off, except for the tools needed to end a turn. */
  readonly disabledAgents: readonly string[];
  readonly mcpServers: readonly McpServer[];
  /**
   * How tools are presented to the model: one by one, as modes of agents, or as an MCP client
   * would.
   */
  readonly toolPresentation: ToolPresentation;
  /** Vault paths whose contents are hidden from the agent. */
  readonly excludedFolders: readonly string[];
  /** Without `#`. Notes with this tag, or a nested tag, are hidden from the agent. '' for none. */
  readonly excludedTag: string;
  readonly editableScope: EditableScope;
  /** How many links to follow from an attached note when including text automatically. */
  readonly contextDepth: number;
  /** Named sets of attachments in the composer. */
  readonly contextPresets: readonly ContextPreset[];
  /**
   * Vault folders, '' for none. An empty template folder means the one set in the Templates core
   * plugin.
   */
  readonly templateFolder: string;
  readonly customToolFolder: string;
  readonly promptFolder: string;
  /** Ids of the host's commands that the agent may run. */
  readonly commands: readonly string[];
  /** Allows insertions, and new properties, tags, and links. */
  readonly allowAdd: boolean;
  /** Allows all other changes to text or properties, moves, and deletions. */
  readonly allowReplace: boolean;
  /** Allows new notes and folders. */
  readonly allowCreate: boolean;
  /** Allows opening notes and running commands. */
  readonly allowNavigate: boolean;
  readonly stepsPerTurn: number;
  readonly tokensPerTurn: number;
  readonly readLines: number;
  readonly readCharacters: number;
  readonly readLineCharacters: number;
  /** Messages with more tokens than this ask for confirmation before they are sent. */
  readonly tokenWarning: number;
  /** A stream without data for this many seconds counts as cut off. */
  readonly stallSeconds: number;
  /** Endpoint that turns texts into vectors; '' turns semantic search off. */
  readonly embeddingEndpoint: string;
  readonly embeddingModel: string;
  /** Name of its key in Obsidian's secret storage; '' for none. */
  readonly embeddingKeyName: string;
  readonly searchProvider: SearchProvider;
  /**
   * Name of its key in Obsidian's secret storage. Anthropic's search uses the key of the model
   * instead.
   */
  readonly searchKeyName: string;
  /** US dollars; 0 for no limit. */
  readonly moneyPerTurn: number;
  readonly moneyPerDay: number;
  /** Whether each answer shows its tokens and cost rather than only when asked. */
  readonly showCost: boolean;
  /** By model id, for models that are missing from the built-in table or priced differently. */
  readonly prices: Readonly<Record<string, Price>>;
  /** Number of ended conversations to keep; pinned ones are always kept. */
  readonly conversationsKept: number;
  /**
   * Whether to show system notifications for typed requests while another program has the focus.
   */
  readonly notifications: boolean;
  /** Size limit of the change log; beyond it, the oldest changes can't be undone. */
  readonly changeLogMegabytes: number;
  /** Whether to register with SmartHole, which delivers spoken requests. */
  readonly smartHole: boolean;
  readonly assistantName: string;
  /** Name under which SmartHole knows this assistant; '' derives it from `assistantName`. */
  readonly wireName: string;
  /** SmartHole uses this to decide which requests to send here. */
  readonly routingDescription: string;
  readonly smartHolePort: number;
  /** Whether Parley's MCP server offers tools to programs on this computer. */
  readonly mcpServerEnabled: boolean;
  /** Also offers tools that change notes. */
  readonly mcpServerWrites: boolean;
  /** Default mode of an MCP client's conversation. */
  readonly mcpServerMode: Mode;
  readonly mcpServerPort: number;
  readonly logLevels: Readonly<Record<LogArea, LogLevel>>;
}

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

export const DEFAULT_VAULT_ORGANIZATION = `This is a personal knowledge notebook. Follow the vault's existing places first. Notes can be organized flexibly based on content:

- Daily notes and journals go in the "Journal" folder
- Lists (shopping, todos, etc.) go in the "Lists" folder
- Project-related notes go in the "Projects" folder
- General reference and wiki-style notes go in the root or "Notes" folder

When encountering information that doesn't fit clearly into existing categories, create a new note in the most logical location and use descriptive naming. Prefer linking related notes together using [[wiki links]].

The goal is an evolving personal wiki where information is easy to find and naturally connected.`;

const ROUTING_TEXT =
  'I manage personal notes, journals, lists, and knowledge in Obsidian. I can create notes, update existing ones, search for information, and organize files. Use me for anything related to remembering things, note-taking, or personal knowledge management.';

const DEFAULT_ASSISTANT_NAME = 'Miss Simone';

function routingDescriptionFor(assistantName: string): string {
  return `${assistantName.trim() || 'Parley'}: ${ROUTING_TEXT}`;
}

export const DEFAULT_ROUTING_DESCRIPTION = routingDescriptionFor(DEFAULT_ASSISTANT_NAME);

/**
 * The description that SmartHole gets. The default begins with the current name of the assistant,
 * even if the description was saved under another one.
 */
export function routingDescriptionOf({
  assistantName,
  routingDescription,
}: Pick<Settings, 'assistantName' | 'routingDescription'>): string {
  const isDefault =
    routingDescription === ROUTING_TEXT || routingDescription.endsWith(`: ${ROUTING_TEXT}`);
  return isDefault ? routingDescriptionFor(assistantName) : routingDescription;
}

export const DEFAULT_SETTINGS: Settings = {
  apiKeyName: 'parley-api-key',
  model: 'claude-haiku-4-5-20251001',
  thinking: 'auto',
  endpoint: ANTHROPIC_ENDPOINT,
  compatibility: false,
  vaultOrganization: DEFAULT_VAULT_ORGANIZATION,
  instructions: '',
  idleMinutes: 30,
  questionTimeoutMinutes: 60,
  panelMode: 'review',
  smartHoleMode: 'apply',
  proposalTag: 'ai_edit',
  tools: {},
  disabledAgents: [],
  mcpServers: [],
  toolPresentation: 'flat',
  excludedFolders: [],
  excludedTag: 'private',
  editableScope: 'vault',
  contextDepth: 0,
  contextPresets: [],
  templateFolder: '',
  customToolFolder: '',
  promptFolder: '',
  commands: [],
  allowAdd: true,
  allowReplace: true,
  allowCreate: true,
  allowNavigate: true,
  stepsPerTurn: 25,
  tokensPerTurn: 100_000,
  readLines: 2_000,
  readCharacters: 100_000,
  readLineCharacters: 2_000,
  tokenWarning: 30_000,
  stallSeconds: 60,
  embeddingEndpoint: '',
  embeddingModel: '',
  embeddingKeyName: '',
  searchProvider: '',
  searchKeyName: 'parley-search-key',
  moneyPerTurn: 0,
  moneyPerDay: 0,
  showCost: false,
  prices: {},
  conversationsKept: 1_000,
  notifications: true,
  changeLogMegabytes: 200,
  smartHole: true,
  assistantName: DEFAULT_ASSISTANT_NAME,
  wireName: '',
  routingDescription: DEFAULT_ROUTING_DESCRIPTION,
  smartHolePort: 9473,
  mcpServerEnabled: false,
  mcpServerWrites: false,
  mcpServerMode: 'review',
  mcpServerPort: 9474,
  logLevels: DEFAULT_LOG_LEVELS,
};

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
  { tools }: Pick<Settings, 'tools'>,
  key: string,
  fallback: Permission,
): Permission {
  // A tool may have the name of an inherited property, such as `constructor`.
  return (Object.hasOwn(tools, key) ? tools[key] : undefined) ?? fallback;
}

/** Settings that change together with the search provider. */
export function settingsForProvider(
  provider: unknown,
  now: Settings,
): Partial<Pick<Settings, 'tools' | 'searchKeyName'>> {
  if (provider === now.searchProvider) return {};
  const { web_search: _search, read_webpage: page, ...others } = now.tools;
  const allow: Permission = 'allow';
  // Keep the user's own permission for reading web pages.
  const without = page && page !== allow ? { ...others, read_webpage: page } : others;
  const both = { ...others, web_search: allow, read_webpage: allow };
  const tools = provider === '' ? without : now.searchProvider === '' ? both : now.tools;
  if (provider === '') return { tools };
  // Each provider has its own key, so that none receives the key of another.
  return { tools, searchKeyName: `parley-${String(provider)}-key` };
}

/**
 * Tool permissions that remain valid for a new server list: another command or address revokes
 * `allow`, removing a server drops all of its permissions. Returns the same object if nothing
 * changes.
 */
export function permissionsWith(
  next: readonly McpServer[],
  { tools, mcpServers }: Pick<Settings, 'tools' | 'mcpServers'>,
): Settings['tools'] {
  const now = new Map(next.map((each) => [each.id, serverIdentity(each)]));
  const others = mcpServers.filter((each) => now.get(each.id) !== serverIdentity(each));
  const holds = ([key, permission]: [string, Permission]) => {
    const server = others.find(({ id }) => key.startsWith(`${id} `));
    return !server || (now.has(server.id) && permission !== 'allow');
  };
  const held = Object.entries(tools).filter(holds);
  return held.length === Object.keys(tools).length ? tools : Object.fromEntries(held);
}
