/** The rule of each setting: which values are valid, and which need confirmation on each device. */
import { isAttachment } from './attachment';
import { areLogLevels } from './log';
import { areMcpServers } from './mcp-server';
import {
  DEFAULT_SETTINGS,
  EDITABLE_SCOPES,
  MODES,
  THINKING_LEVELS,
  type Settings,
} from './settings';
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
import { isRecord } from '#text/untrusted-text';

/** Null if the value is valid, else what was expected. */
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

const webAddress: Check = (value) =>
  typeof value === 'string' && isSecureAddress(value) && !/\/v1\/?$/.test(new URL(value).pathname)
    ? null
    : 'an https address such as https://api.anthropic.com, without /v1; http only to this computer';

const embeddingEndpoint: Check = (value) =>
  value === '' || (typeof value === 'string' && isSecureAddress(value))
    ? null
    : 'an https address, one on this computer such as http://localhost:11434, or nothing';

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

/** Limit for the routing description in UTF-16 units, as SmartHole counts. */
export const MAX_DESCRIPTION_CHARS = 1_024;

const routingDescription: Check = (value) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= MAX_DESCRIPTION_CHARS
    ? null
    : 'a description of 1 to 1,024 characters';

const modelId: Check = (value) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 200
    ? null
    : 'the id of a model, such as claude-haiku-4-5-20251001';

const servers: Check = (value) =>
  areMcpServers(value) ? null : 'tool servers with an id, a name, and a command or an address';

const logLevels: Check = (value) =>
  areLogLevels(value) ? null : 'areas of the log with off, problems or everything';

interface Rule<Value> {
  readonly check: Check;
  /** What applies of a synced value that the user of this device has not confirmed. */
  readonly stricter?: Stricter<Value>;
  /** This one's value is only of use with that of the named setting. */
  readonly follows?: keyof Settings;
}

/** Of settings that say where data and keys go, what runs, or what is hidden, allowed, paid or kept. */
const confirmed = <Value>(check: Check, stricter: Stricter<Value> = (own) => own): Rule<Value> => ({
  check,
  stricter,
});

const RULES: { readonly [Name in keyof Settings]: Rule<Settings[Name]> } = {
  apiKeyName: confirmed(text(200)),
  model: { check: modelId, follows: 'endpoint' },
  thinking: { check: oneOf(...THINKING_LEVELS) },
  endpoint: confirmed(webAddress),
  compatibility: { check: oneOf(true, false), follows: 'endpoint' },
  vaultOrganization: { check: text(20_000) },
  instructions: { check: text(20_000) },
  idleMinutes: { check: whole(1, 10_080) },
  questionTimeoutMinutes: { check: whole(1, 10_080) },
  panelMode: confirmed(oneOf(...MODES), stricterMode),
  smartHoleMode: confirmed(oneOf(...MODES), stricterMode),
  proposalTag: { check: ownTag },
  tools: confirmed(permissions, stricterTools),
  disabledAgents: confirmed(agentNames, all),
  mcpServers: confirmed(servers, knownServers),
  toolPresentation: { check: oneOf('flat', 'agents', 'mcp') },
  excludedFolders: confirmed(folders, allFolders),
  excludedTag: confirmed(tagName, widerTag),
  editableScope: confirmed(oneOf(...EDITABLE_SCOPES), narrowerScope),
  contextDepth: confirmed(whole(0, 3), lower),
  contextPresets: { check: presets },
  templateFolder: confirmed(folder),
  customToolFolder: confirmed(folder, empty),
  promptFolder: confirmed(folder, empty),
  commands: confirmed(commandIds, common),
  allowAdd: confirmed(oneOf(true, false), off),
  allowReplace: confirmed(oneOf(true, false), off),
  allowCreate: confirmed(oneOf(true, false), off),
  allowNavigate: confirmed(oneOf(true, false), off),
  stepsPerTurn: confirmed(whole(5, 50), lower),
  tokensPerTurn: confirmed(whole(1_000, 100_000_000), lower),
  readLines: { check: whole(10, 100_000) },
  readCharacters: { check: whole(1_000, 2_000_000) },
  readLineCharacters: { check: whole(100, 100_000) },
  tokenWarning: confirmed(whole(1_000, 10_000_000), lower),
  stallSeconds: { check: whole(5, 3_600) },
  embeddingEndpoint: confirmed(embeddingEndpoint, empty),
  embeddingModel: { check: text(200), follows: 'embeddingEndpoint' },
  embeddingKeyName: confirmed(text(200), empty),
  searchProvider: confirmed(oneOf('', 'anthropic', 'brave', 'tavily', 'serper'), empty),
  searchKeyName: confirmed(text(200)),
  moneyPerTurn: confirmed(amount, lowerLimit),
  moneyPerDay: confirmed(amount, lowerLimit),
  showCost: { check: oneOf(true, false) },
  prices: confirmed(prices),
  conversationsKept: confirmed(whole(1, 100_000), higher),
  notifications: { check: oneOf(true, false) },
  changeLogMegabytes: confirmed(whole(10, 100_000), higher),
  smartHole: confirmed(oneOf(true, false), off),
  assistantName: confirmed(text(100)),
  wireName: confirmed(wireName),
  routingDescription: { check: routingDescription },
  smartHolePort: confirmed(whole(1, 65_535)),
  mcpServerEnabled: confirmed(oneOf(true, false), off),
  mcpServerWrites: confirmed(oneOf(true, false), off),
  mcpServerMode: confirmed(oneOf(...MODES), stricterMode),
  mcpServerPort: { check: whole(1_024, 65_535) },
  logLevels: { check: logLevels },
};

export function ruleOf(name: keyof Settings): Rule<unknown> {
  return RULES[name] as Rule<unknown>;
}

export function isSettingName(name: string): name is keyof Settings {
  return Object.hasOwn(RULES, name);
}

/** Null if `value` is valid for `name`, else a sentence that says what was expected. */
export function settingProblem(name: string, value: unknown): string | null {
  if (!isSettingName(name)) return `There is no setting called "${name}".`;
  const expected = RULES[name].check(value);
  return expected === null ? null : `"${name}" takes ${expected}.`;
}

export const SETTINGS_VERSION = 1;

export interface SavedSettings {
  readonly version: typeof SETTINGS_VERSION;
  /**
   * Only values that differ from the defaults, so that improved defaults reach users who never
   * changed them.
   */
  readonly settings: Partial<Settings>;
}

/** @param isModelChosen whether to save the model even if it equals the default */
export function toSavedSettings(settings: Settings, isModelChosen = false): SavedSettings {
  const changed = Object.entries(settings).filter(
    ([name, value]) =>
      (name === 'model' && isModelChosen) ||
      JSON.stringify(value) !== JSON.stringify(DEFAULT_SETTINGS[name as keyof Settings]),
  );
  return { version: SETTINGS_VERSION, settings: Object.fromEntries(changed) };
}

export interface LoadedSettings {
  readonly settings: Settings;
  /**
   * Rejected values, in sentences. Those settings keep their previous value, or their default when
   * loading.
   */
  readonly problems: readonly string[];
}

/**
 * Loads settings from the content of the data file, each validated on its own, also from a file of
 * another version.
 *
 * @param fallback has the values to use instead of invalid ones
 */
export function loadSettings(saved: unknown, fallback = DEFAULT_SETTINGS): LoadedSettings {
  if (saved === null || saved === undefined) return { settings: DEFAULT_SETTINGS, problems: [] };
  if (!isRecord(saved) || !isRecord(saved['settings'])) {
    return {
      settings: DEFAULT_SETTINGS,
      problems: ['The settings file has an unknown form; the defaults are in force.'],
    };
  }
  const values = saved['settings'];
  const isInvalid = ([name]: [string, unknown]) =>
    name in values && settingProblem(name, values[name]) !== null;
  const instead = Object.fromEntries(Object.entries(fallback).filter(isInvalid));
  const { settings, problems } = applySettings({ ...DEFAULT_SETTINGS, ...instead }, values);
  // What is the same in another version must not be loosened to the defaults, such as exclusions.
  const other = saved['version'] === SETTINGS_VERSION ? [] : [otherVersion(saved['version'])];
  return { settings, problems: [...other, ...problems] };
}

function otherVersion(version: unknown): string {
  const name = version === undefined ? 'no version' : `version ${JSON.stringify(version)}`;
  return `The settings file has ${name}; this version of Parley reads version ${SETTINGS_VERSION}. The settings that it knows are in force, and the defaults for the others.`;
}

/** Whether the content of the data file names a model, so that the default does not apply. */
export function hasSavedModel(saved: unknown): boolean {
  return isRecord(saved) && isRecord(saved['settings']) && 'model' in saved['settings'];
}

/** Applies the valid `changes` to `settings`. */
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

/**
 * Where texts of notes and secrets may be sent: to any server over https, over plain http only to
 * this computer, since anyone on the way could read them.
 */
export function isSecureAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** @param hostname as `URL` normalizes it, so that 127.1 and 0x7f000001 read 127.0.0.1 */
function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
