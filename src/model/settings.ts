/** The settings: for each its default, its check, and whether it is confirmed on each device. */
import type { ContextPreset } from './attachment';
import { DEFAULT_LOG_LEVELS, type LogArea, type LogLevel } from './log';
import { type McpServer, serverIdentity } from './mcp-server';
import {
  type Check,
  agentNames,
  dollars,
  commandIds,
  embeddingEndpoint,
  folderName,
  folderNames,
  logLevels,
  modelId,
  oneOf,
  ownTag,
  toolPermissions,
  presetList,
  priceTable,
  routingDescription,
  serverList,
  tagName,
  textUpTo,
  webAddress,
  wholeNumber,
  wireName,
} from './setting-checks';
import {
  ANTHROPIC_ENDPOINT,
  EDITABLE_SCOPES,
  MODES,
  THINKING_LEVELS,
  type EditableScope,
  type Mode,
  type Permission,
  type Permissions,
  type Price,
  type SearchProvider,
  type Thinking,
  type ToolPresentation,
} from './setting-choices';
import {
  all,
  allFolders,
  common,
  empty,
  higher,
  knownServers,
  lower,
  lowerLimit,
  narrowerScope,
  off,
  stricterMode,
  stricterTools,
  widerTag,
  type Stricter,
} from './stricter-values';

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

export interface Setting<Value> {
  readonly preset: Value;
  readonly check: Check;
  /** What applies of a synced value that the user of this device has not confirmed. */
  readonly stricter?: Stricter<Value>;
  /** This one's value is only of use with that of the named setting. */
  readonly follows?: string;
}

function plain<Value>(preset: Value, check: Check, follows?: string): Setting<Value> {
  return follows === undefined ? { preset, check } : { preset, check, follows };
}

/** Of settings that say where data and keys go, what runs, or what is hidden, allowed, paid or kept. */
function confirmed<Value>(
  preset: Value,
  check: Check,
  stricter: Stricter<Value> = (own) => own,
): Setting<Value> {
  return { preset, check, stricter };
}

const SETTINGS = {
  /** Name of the key in Obsidian's secret storage, never the key itself. */
  apiKeyName: confirmed('parley-api-key', textUpTo(200)),
  model: plain('claude-haiku-4-5-20251001', modelId, 'endpoint'),
  thinking: plain<Thinking>('auto', oneOf(...THINKING_LEVELS)),
  /** Without `/v1`. */
  endpoint: confirmed(ANTHROPIC_ENDPOINT, webAddress),
  /** For servers with an older form of the API: no thinking, no cache marks, the old headers. */
  compatibility: plain(false, oneOf(true, false), 'endpoint'),
  vaultOrganization: plain(DEFAULT_VAULT_ORGANIZATION, textUpTo(20_000)),
  instructions: plain('', textUpTo(20_000)),
  /** Minutes. */
  idleMinutes: plain(30, wholeNumber(1, 10_080)),
  questionTimeoutMinutes: plain(60, wholeNumber(1, 10_080)),
  /** Default mode of conversations that have none set, by the source of the turn. */
  panelMode: confirmed<Mode>('review', oneOf(...MODES), stricterMode),
  smartHoleMode: confirmed<Mode>('apply', oneOf(...MODES), stricterMode),
  /** Tag without `#` below each proposed edit, so that users can search for it. */
  proposalTag: plain('ai_edit', ownTag),
  /** Only permissions that differ from the tool's default. */
  tools: confirmed<Permissions>({}, toolPermissions, stricterTools),
  /** Agents whose tools are off, except for the tools needed to end a turn. */
  disabledAgents: confirmed<readonly string[]>([], agentNames, all),
  mcpServers: confirmed<readonly McpServer[]>([], serverList, knownServers),
  /**
   * How tools are presented to the model: one by one, as modes of agents, or as an MCP client
   * would.
   */
  toolPresentation: plain<ToolPresentation>('flat', oneOf('flat', 'agents', 'mcp')),
  /** Vault paths whose contents are hidden from the agent. */
  excludedFolders: confirmed<readonly string[]>([], folderNames, allFolders),
  /** Without `#`. Notes with this tag, or a nested tag, are hidden from the agent. '' for none. */
  excludedTag: confirmed('private', tagName, widerTag),
  editableScope: confirmed<EditableScope>('vault', oneOf(...EDITABLE_SCOPES), narrowerScope),
  /** How many links to follow from an attached note when including text automatically. */
  contextDepth: confirmed(0, wholeNumber(0, 3), lower),
  /** Named sets of attachments in the composer. */
  contextPresets: plain<readonly ContextPreset[]>([], presetList),
  /**
   * Vault folders, '' for none. An empty template folder means the one set in the Templates core
   * plugin. Changes in them ask, so that none of these is stricter than another.
   */
  templateFolder: confirmed('', folderName),
  customToolFolder: confirmed('', folderName),
  promptFolder: confirmed('', folderName),
  /** Ids of the host's commands that the agent may run. */
  commands: confirmed<readonly string[]>([], commandIds, common),
  /** Allows insertions, and new properties, tags, and links. */
  allowAdd: confirmed(true, oneOf(true, false), off),
  /** Allows all other changes to text or properties, moves, and deletions. */
  allowReplace: confirmed(true, oneOf(true, false), off),
  /** Allows new notes and folders. */
  allowCreate: confirmed(true, oneOf(true, false), off),
  /** Allows opening notes and running commands. */
  allowNavigate: confirmed(true, oneOf(true, false), off),
  /** Requests that are worked on at once, each in a chat of its own; spoken ones have one more. */
  turnsAtOnce: plain(3, wholeNumber(1, 3)),
  stepsPerTurn: confirmed(25, wholeNumber(5, 50), lower),
  tokensPerTurn: confirmed(100_000, wholeNumber(1_000, 100_000_000), lower),
  readLines: plain(2_000, wholeNumber(10, 100_000)),
  readCharacters: plain(100_000, wholeNumber(1_000, 2_000_000)),
  readLineCharacters: plain(2_000, wholeNumber(100, 100_000)),
  /** Messages with more tokens than this ask for confirmation before they are sent. */
  tokenWarning: confirmed(30_000, wholeNumber(1_000, 10_000_000), lower),
  /** A stream without data for this many seconds counts as cut off. */
  stallSeconds: plain(60, wholeNumber(5, 3_600)),
  /** Endpoint that turns texts into vectors; '' turns semantic search off. */
  embeddingEndpoint: confirmed('', embeddingEndpoint, empty),
  embeddingModel: plain('', textUpTo(200), 'embeddingEndpoint'),
  /** Name of its key in Obsidian's secret storage; '' for none. */
  embeddingKeyName: confirmed('', textUpTo(200), empty),
  searchProvider: confirmed<SearchProvider>(
    '',
    oneOf('', 'anthropic', 'brave', 'tavily', 'serper'),
    empty,
  ),
  /**
   * Name of its key in Obsidian's secret storage. Anthropic's search uses the key of the model
   * instead.
   */
  searchKeyName: confirmed('parley-search-key', textUpTo(200)),
  /** US dollars; 0 for no limit. */
  moneyPerTurn: confirmed(0, dollars, lowerLimit),
  moneyPerDay: confirmed(0, dollars, lowerLimit),
  /** Whether each answer shows its tokens and cost rather than only when asked. */
  showCost: plain(false, oneOf(true, false)),
  /** By model id, for models that are missing from the built-in table or priced differently. */
  prices: confirmed<Readonly<Record<string, Price>>>({}, priceTable),
  /** Number of ended conversations to keep; pinned ones are always kept. */
  conversationsKept: confirmed(1_000, wholeNumber(1, 100_000), higher),
  /**
   * Whether to show system notifications for typed requests while another program has the focus.
   */
  notifications: plain(true, oneOf(true, false)),
  /** Size limit of the change log; beyond it, the oldest changes can't be undone. */
  changeLogMegabytes: confirmed(200, wholeNumber(10, 100_000), higher),
  /** Whether to register with SmartHole, which delivers spoken requests. */
  smartHole: confirmed(true, oneOf(true, false), off),
  assistantName: confirmed(DEFAULT_ASSISTANT_NAME, textUpTo(100)),
  /** Name under which SmartHole knows this assistant; '' derives it from `assistantName`. */
  wireName: confirmed('', wireName),
  /** SmartHole uses this to decide which requests to send here. */
  routingDescription: plain(DEFAULT_ROUTING_DESCRIPTION, routingDescription),
  smartHolePort: confirmed(9473, wholeNumber(1, 65_535)),
  /** Whether Parley's MCP server offers tools to programs on this computer. */
  mcpServerEnabled: confirmed(false, oneOf(true, false), off),
  /** Also offers tools that change notes. */
  mcpServerWrites: confirmed(false, oneOf(true, false), off),
  /** Default mode of an MCP client's conversation. */
  mcpServerMode: confirmed<Mode>('review', oneOf(...MODES), stricterMode),
  mcpServerPort: plain(9474, wholeNumber(1_024, 65_535)),
  logLevels: plain<Readonly<Record<LogArea, LogLevel>>>(DEFAULT_LOG_LEVELS, logLevels),
};

export type Settings = {
  readonly [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name]['preset'];
};

export const DEFAULT_SETTINGS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, { preset }]) => [name, preset]),
) as Settings;

export function settingOf(name: keyof Settings): Setting<unknown> {
  return SETTINGS[name] as Setting<unknown>;
}

export function isSettingName(name: string): name is keyof Settings {
  return Object.hasOwn(SETTINGS, name);
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
