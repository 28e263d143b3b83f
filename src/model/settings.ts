/** What the person can set, with defaults, checks and the saved form. A damaged value never stops the plugin. */

import { isAttachment, type ContextPreset } from './attachment';
import { MODES, type Mode } from './mode';
import { EDITABLE_SCOPES, type EditableScope } from './scope';
import { areToolServers, type ToolServer } from './tool-server';

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
  readonly informationArchitecture: string;
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
  readonly toolServers: readonly ToolServer[];
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
  readonly ledgerMegabytes: number;
  /** Whether to register with SmartHole, which delivers what is spoken. */
  readonly smartHole: boolean;
  readonly assistantName: string;
  /** The name by which SmartHole knows this assistant; '' for one made from `assistantName`. */
  readonly wireName: string;
  /** By which SmartHole decides what to send here. */
  readonly routingDescription: string;
  readonly smartHolePort: number;
  /** Whether programs on this computer may use the tools, over the Model Context Protocol. */
  readonly serveTools: boolean;
  /** Also those that change notes. */
  readonly serveChanges: boolean;
  /** The mode of a program's conversation in which nobody has set one. */
  readonly serveMode: Mode;
  readonly servePort: number;
}

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export const ANTHROPIC_ENDPOINT = 'https://api.anthropic.com';

export const DEFAULT_INFORMATION_ARCHITECTURE = `This is a personal knowledge notebook. Notes can be organized flexibly based on content:

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
  informationArchitecture: DEFAULT_INFORMATION_ARCHITECTURE,
  instructions: '',
  idleMinutes: 30,
  questionTimeoutMinutes: 60,
  panelMode: 'review',
  smartHoleMode: 'apply',
  proposalTag: 'ai_edit',
  tools: {},
  disabledAgents: [],
  toolServers: [],
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
  ledgerMegabytes: 200,
  smartHole: true,
  assistantName: 'Miss Simone',
  wireName: '',
  routingDescription: DEFAULT_ROUTING_DESCRIPTION,
  smartHolePort: 9473,
  serveTools: false,
  serveChanges: false,
  serveMode: 'review',
  servePort: 9474,
};

/** Null if the value may be set, else what was expected. */
type Check = (value: unknown) => string | null;

const text =
  (limit: number): Check =>
  (value) =>
    typeof value === 'string' && value.length <= limit
      ? null
      : `a text of at most ${limit.toLocaleString('en')} characters`;

const whole =
  (least: number, most: number): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most
      ? null
      : `a whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}`;

const oneOf =
  (...choices: readonly unknown[]): Check =>
  (value) =>
    choices.includes(value) ? null : `one of ${choices.map((choice) => String(choice)).join(', ')}`;

const webAddress: Check = (value) => {
  const fault = 'an address such as https://api.anthropic.com, without /v1';
  if (typeof value !== 'string' || !URL.canParse(value)) return fault;
  const { protocol, pathname } = new URL(value);
  return /^https?:$/.test(protocol) && !/\/v1\/?$/.test(pathname) ? null : fault;
};

const embeddingEndpoint: Check = (value) =>
  value === '' ||
  (typeof value === 'string' && URL.canParse(value) && /^https?:/.test(new URL(value).protocol))
    ? null
    : 'an address such as http://localhost:11434, or nothing';

const permissions: Check = (value) =>
  isRecord(value) &&
  Object.values(value).every((each) => oneOf('allow', 'ask', 'off')(each) === null)
    ? null
    : 'tool names with allow, ask or off';

const agentNames: Check = (value) =>
  Array.isArray(value) && value.length <= 200 && value.every((name) => text(64)(name) === null)
    ? null
    : 'names of agents, such as vault_manager';

const folders: Check = (value) =>
  Array.isArray(value) && value.length <= 200 && value.every(isFolderName)
    ? null
    : 'folders of the vault, one a line, such as Journal/Private';

const folder: Check = (value) =>
  value === '' || isFolderName(value) ? null : 'a folder of the vault, such as Parley/Tools';

function isFolderName(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 500) return false;
  const names = value.split('/').filter((name) => name.trim() !== '');
  return names.length > 0 && !names.some((name) => /^\.{1,2}$/.test(name));
}

const commandIds: Check = (value) =>
  Array.isArray(value) &&
  value.length <= 200 &&
  value.every((id) => typeof id === 'string' && id !== '' && id.length <= 300)
    ? null
    : 'ids of commands, such as editor:save-file';

const presets: Check = (value) =>
  Array.isArray(value) && value.length <= 100 && value.every(isPreset)
    ? null
    : 'presets with a name of their own, each with attachments';

function isPreset(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { name, attachments } = value;
  const isNamed = typeof name === 'string' && name.trim() !== '' && name.length <= 100;
  return isNamed && Array.isArray(attachments) && attachments.every(isAttachment);
}

const tagName: Check = (value) =>
  value === '' ||
  (typeof value === 'string' &&
    /^(?!\d+$)[\p{L}\p{M}\p{N}_-]+(?:\/[\p{L}\p{M}\p{N}_-]+)*$/u.test(value))
    ? null
    : 'a tag without #, such as private, or nothing';

const ownTag: Check = (value) =>
  value === '' || tagName(value) !== null ? 'a tag without #, such as ai_edit' : null;

const amount: Check = (value) =>
  typeof value === 'number' && value >= 0 && value <= 100_000
    ? null
    : 'an amount in US dollars from 0 (no limit) to 100,000';

const prices: Check = (value) =>
  isRecord(value) &&
  Object.values(value).every(
    (price) =>
      isRecord(price) &&
      ['input', 'output', 'cacheRead', 'cacheWrite'].every((name) => amount(price[name]) === null),
  )
    ? null
    : 'the price of each model’s input, output, cacheRead and cacheWrite, in US dollars for a million tokens';

const wireName: Check = (value) =>
  value === '' || (typeof value === 'string' && /^[a-zA-Z][a-zA-Z0-9_-]{0,54}$/.test(value))
    ? null
    : 'one word of at most 55 letters, digits, - and _ that begins with a letter, or nothing';

/** Of a routing description, in UTF-16 units, as SmartHole counts. */
export const LONGEST_DESCRIPTION = 1_024;

const routingDescription: Check = (value) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_DESCRIPTION
    ? null
    : 'a description of 1 to 1,024 characters';

const CHECKS: Record<keyof Settings, Check> = {
  apiKeyName: text(200),
  model: (value) =>
    typeof value === 'string' && value.trim() !== '' && value.length <= 200
      ? null
      : 'the id of a model, such as claude-haiku-4-5-20251001',
  thinking: oneOf('auto', 'off'),
  endpoint: webAddress,
  compatibility: oneOf(true, false),
  informationArchitecture: text(20_000),
  instructions: text(20_000),
  idleMinutes: whole(1, 10_080),
  questionTimeoutMinutes: whole(1, 10_080),
  panelMode: oneOf(...MODES),
  smartHoleMode: oneOf(...MODES),
  proposalTag: ownTag,
  tools: permissions,
  disabledAgents: agentNames,
  toolServers: (value) =>
    areToolServers(value) ? null : 'tool servers with an id, a name, and a command or an address',
  toolPresentation: oneOf('flat', 'agents', 'mcp'),
  excludedFolders: folders,
  excludedTag: tagName,
  editableScope: oneOf(...EDITABLE_SCOPES),
  contextDepth: whole(0, 3),
  contextPresets: presets,
  templateFolder: folder,
  customToolFolder: folder,
  promptFolder: folder,
  commands: commandIds,
  allowAdd: oneOf(true, false),
  allowReplace: oneOf(true, false),
  allowCreate: oneOf(true, false),
  allowNavigate: oneOf(true, false),
  stepsPerTurn: whole(5, 50),
  tokensPerTurn: whole(1_000, 100_000_000),
  readLines: whole(10, 100_000),
  readCharacters: whole(1_000, 2_000_000),
  readLineCharacters: whole(100, 100_000),
  tokenWarning: whole(1_000, 10_000_000),
  stallSeconds: whole(5, 3_600),
  embeddingEndpoint,
  embeddingModel: text(200),
  embeddingKeyName: text(200),
  searchProvider: oneOf('', 'anthropic', 'brave', 'tavily', 'serper'),
  searchKeyName: text(200),
  moneyPerTurn: amount,
  moneyPerDay: amount,
  prices,
  conversationsKept: whole(1, 100_000),
  notifications: oneOf(true, false),
  ledgerMegabytes: whole(10, 100_000),
  smartHole: oneOf(true, false),
  assistantName: text(100),
  wireName,
  routingDescription,
  smartHolePort: whole(1, 65_535),
  serveTools: oneOf(true, false),
  serveChanges: oneOf(true, false),
  serveMode: oneOf(...MODES),
  servePort: whole(1_024, 65_535),
};

export function isSettingName(name: string): name is keyof Settings {
  return Object.hasOwn(CHECKS, name);
}

/** Null if `value` may be set under `name`, else a sentence that says what was expected. */
export function settingProblem(name: string, value: unknown): string | null {
  if (!isSettingName(name)) return `There is no setting called "${name}".`;
  const expected = CHECKS[name](value);
  return expected === null ? null : `"${name}" takes ${expected}.`;
}

/** The saved form, in the plugin's data file. */
export const SETTINGS_VERSION = 1;

export interface SavedSettings {
  readonly version: typeof SETTINGS_VERSION;
  /** Only what differs from the defaults, so that better defaults reach people who never chose. */
  readonly settings: Partial<Settings>;
}

export function saveForm(settings: Settings): SavedSettings {
  const changed = Object.entries(settings).filter(
    ([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(DEFAULT_SETTINGS[name as keyof Settings]),
  );
  return { version: SETTINGS_VERSION, settings: Object.fromEntries(changed) };
}

export interface LoadedSettings {
  readonly settings: Settings;
  /** What could not be taken, in sentences; those settings have their defaults. */
  readonly problems: readonly string[];
}

/** Settings from whatever the data file holds, each checked by itself. */
export function loadSettings(saved: unknown): LoadedSettings {
  if (saved === null || saved === undefined) return { settings: DEFAULT_SETTINGS, problems: [] };
  if (!isRecord(saved) || !isRecord(saved['settings'])) {
    return {
      settings: DEFAULT_SETTINGS,
      problems: ['The settings file has an unknown form; the defaults are in force.'],
    };
  }
  if (saved['version'] !== SETTINGS_VERSION) {
    return {
      settings: DEFAULT_SETTINGS,
      problems: [
        `The settings file has version ${JSON.stringify(saved['version'])}; this version of Parley reads ${SETTINGS_VERSION}. The defaults are in force.`,
      ],
    };
  }
  return applySettings(DEFAULT_SETTINGS, saved['settings']);
}

/** `settings` with the valid ones of `changes` in force. */
export function applySettings(
  settings: Settings,
  changes: Record<string, unknown>,
): LoadedSettings {
  const problems: string[] = [];
  const accepted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(changes)) {
    const problem = settingProblem(name, value);
    if (problem === null) accepted[name] = value;
    else problems.push(problem);
  }
  return { settings: { ...settings, ...accepted }, problems };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
