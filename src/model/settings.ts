/** The settings, their defaults, and the choices each of them offers. */
import type { ContextPreset } from './attachment';
import type { McpServer } from './mcp-server';

export type Permission = 'allow' | 'ask' | 'off';

/** Who searches the web; '' for nobody. */
export type SearchProvider = '' | 'anthropic' | 'brave' | 'tavily' | 'serper';

export type ToolPresentation = 'flat' | 'agents' | 'mcp';

export interface Settings {
  /** The name under which the key lies in Obsidian's secret storage, never the key. */
  readonly apiKeyName: string;
  readonly model: string;
  readonly thinking: 'auto' | 'off';
  /** Without `/v1`. */
  readonly endpoint: string;
  /** For servers that speak an older form of the API: no thinking, no cache marks, the old headers. */
  readonly compatibility: boolean;
  readonly vaultOrganization: string;
  readonly instructions: string;
  /** Minutes. */
  readonly idleMinutes: number;
  readonly questionTimeoutMinutes: number;
  /** The mode of conversations in which nobody has set one, by how the turn was asked for. */
  readonly panelMode: Mode;
  readonly smartHoleMode: Mode;
  /** Without `#`; stands below each proposed edit, so that it can be searched for. */
  readonly proposalTag: string;
  /** Only what differs from a tool's own default. */
  readonly tools: Readonly<Record<string, Permission>>;
  /** Agents whose tools are off, all but those without which no turn could end. */
  readonly disabledAgents: readonly string[];
  readonly mcpServers: readonly McpServer[];
  /** How a model is told of the tools: one by one, as modes of agents, or as an MCP client would. */
  readonly toolPresentation: ToolPresentation;
  /** Vault paths; what lies in them does not exist for the agent. */
  readonly excludedFolders: readonly string[];
  /** Without `#`; notes that bear it, or a tag below it, do not exist for the agent. '' for none. */
  readonly excludedTag: string;
  readonly editableScope: EditableScope;
  /** How many links away from an attached note what is sent unasked may lie. */
  readonly contextDepth: number;
  /** Attachments under a name, as the composer offers them. */
  readonly contextPresets: readonly ContextPreset[];
  /** Folders of the vault; '' for none. Of templates: the one that the core plugin names. */
  readonly templateFolder: string;
  readonly customToolFolder: string;
  readonly promptFolder: string;
  /** Ids of the host's commands that the agent may run. */
  readonly commands: readonly string[];
  /** Insertions, new properties, tags and links. */
  readonly allowAdd: boolean;
  /** Every other change of text or properties, moves and deletions. */
  readonly allowReplace: boolean;
  /** Notes and folders. */
  readonly allowCreate: boolean;
  /** Opening notes and running commands. */
  readonly allowNavigate: boolean;
  readonly stepsPerTurn: number;
  readonly tokensPerTurn: number;
  readonly readLines: number;
  readonly readCharacters: number;
  readonly readLineCharacters: number;
  /** A message of more tokens than this asks before it is sent. */
  readonly tokenWarning: number;
  /** A stream without a byte for so many seconds counts as cut. */
  readonly stallSeconds: number;
  /** Turns texts into vectors; '' for none, and so no search by meaning. */
  readonly embeddingEndpoint: string;
  readonly embeddingModel: string;
  /** The name under which its key lies in Obsidian's secret storage; '' for none. */
  readonly embeddingKeyName: string;
  readonly searchProvider: SearchProvider;
  /** The name under which its key lies in Obsidian's secret storage; Anthropic's is the one of the model. */
  readonly searchKeyName: string;
  /** US dollars; 0 for no limit. */
  readonly moneyPerTurn: number;
  readonly moneyPerDay: number;
  /** Of models that are not in the built-in table, or cost something else, by model id. */
  readonly prices: Readonly<Record<string, Price>>;
  /** How many ended conversations are kept; pinned ones always are. */
  readonly conversationsKept: number;
  /** Whether the system tells of typed requests while another program is in front. */
  readonly notifications: boolean;
  /** How much the ledger of changes keeps; beyond it the oldest can't be undone any more. */
  readonly changeLogMegabytes: number;
  /** Whether to register with SmartHole, which delivers what is spoken. */
  readonly smartHole: boolean;
  readonly assistantName: string;
  /** The name by which SmartHole knows this assistant; '' for one made from `assistantName`. */
  readonly wireName: string;
  /** By which SmartHole decides what to send here. */
  readonly routingDescription: string;
  readonly smartHolePort: number;
  /** Whether programs on this computer may use the tools, over the Model Context Protocol. */
  readonly mcpServerEnabled: boolean;
  /** Also those that change notes. */
  readonly mcpServerWrites: boolean;
  /** The mode of a program's conversation in which nobody has set one. */
  readonly mcpServerMode: Mode;
  readonly mcpServerPort: number;
}

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export const ANTHROPIC_ENDPOINT = 'https://api.anthropic.com';

export const DEFAULT_VAULT_ORGANIZATION = `This is a personal knowledge notebook. Notes can be organized flexibly based on content:

- Daily notes and journals go in the "Journal" folder
- Lists (shopping, todos, etc.) go in the "Lists" folder
- Project-related notes go in the "Projects" folder
- General reference and wiki-style notes go in the root or "Notes" folder

When encountering information that doesn't fit clearly into existing categories, create a new note in the most logical location and use descriptive naming. Prefer linking related notes together using [[wiki links]].

The goal is an evolving personal wiki where information is easy to find and naturally connected.`;

export const DEFAULT_ROUTING_DESCRIPTION =
  'I manage personal notes, journals, lists, and knowledge in Obsidian. I can create notes, update existing ones, search for information, and organize files. Use me for anything related to remembering things, note-taking, or personal knowledge management.';

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
  stepsPerTurn: 10,
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
  prices: {},
  conversationsKept: 1_000,
  notifications: true,
  changeLogMegabytes: 200,
  smartHole: true,
  assistantName: 'Miss Simone',
  wireName: '',
  routingDescription: DEFAULT_ROUTING_DESCRIPTION,
  smartHolePort: 9473,
  mcpServerEnabled: false,
  mcpServerWrites: false,
  mcpServerMode: 'review',
  mcpServerPort: 9474,
};

/**
 * What a turn may do to notes. `read-only`: nothing. `review`: propose changes, which wait for the user. `apply`:
 * change them at once, undoable.
 */
export const MODES = ['read-only', 'review', 'apply'] as const;

export type Mode = (typeof MODES)[number];

/**
 * Which notes the agent may change, besides those that a conversation created itself. `current`: the note that was
 * before the user when they asked. `linked`: that one and those it links to. `context`: all that was attached.
 */
export const EDITABLE_SCOPES = ['current', 'linked', 'context', 'vault'] as const;

export type EditableScope = (typeof EDITABLE_SCOPES)[number];

/** What the user has set for a tool by its permission key; `otherwise` where they have set nothing. */
export function permissionSet(
  { tools }: Pick<Settings, 'tools'>,
  key: string,
  otherwise: Permission,
): Permission {
  // A tool may have the name of something that every object has.
  return (Object.hasOwn(tools, key) ? tools[key] : undefined) ?? otherwise;
}
