/**
 * Which settings from other devices apply here without asking. Some settings decide where texts and
 * secrets go and what the agent may do: stricter values apply at once, looser ones only after the
 * user has accepted them on this device.
 */
import { foldPath, isWithin } from '#text/paths';
import { type McpServer, serverIdentity } from './mcp-server';
import {
  defaultPermission,
  MODES,
  permissionSet,
  type Permission,
  type Settings,
} from './settings';

type SettingName = keyof Settings;

interface Guard {
  /** Settings that are only trusted together. */
  readonly names: readonly SettingName[];
  /** The incoming values as far as they are not looser than this device's own. */
  trusted(own: Settings, incoming: Settings): Partial<Settings>;
  /** Whether the user has to be asked; by default, if not all incoming values are trusted. */
  asks?(own: Settings, incoming: Settings): boolean;
  /** The values to use meanwhile; by default the trusted ones. */
  applied?(own: Settings, incoming: Settings): Partial<Settings>;
}

/** Incoming values apply anyway, because what they refer to is gated per device itself. */
const gated = (names: readonly SettingName[]): Pick<Guard, 'applied'> => ({
  applied: (_, incoming) => picked(incoming, names),
});

/** What a request may read, send and cost. */
const LIMITS = [
  ...(['stepsPerTurn', 'tokensPerTurn', 'tokenWarning', 'moneyPerTurn', 'moneyPerDay'] as const),
  ...(['readLines', 'readCharacters', 'readLineCharacters'] as const),
] as const;

export type LimitName = (typeof LIMITS)[number];

const GUARDS = {
  endpoint: together(['endpoint', 'apiKeyName', 'compatibility', 'model'], (own, incoming) =>
    differ(own, incoming, 'endpoint', 'apiKeyName'),
  ),
  embedding: together(
    ['embeddingEndpoint', 'embeddingKeyName', 'embeddingModel'],
    (own, incoming) =>
      incoming.embeddingEndpoint !== '' &&
      (own.embeddingEndpoint !== incoming.embeddingEndpoint ||
        (incoming.embeddingKeyName !== '' && differ(own, incoming, 'embeddingKeyName'))),
  ),
  webSearch: together(
    ['searchProvider', 'searchKeyName'],
    (own, incoming) =>
      incoming.searchProvider !== '' && differ(own, incoming, 'searchProvider', 'searchKeyName'),
  ),
  mcpServers: {
    names: ['mcpServers'],
    trusted: (own, incoming) => ({ mcpServers: knownServers(own, incoming) }),
    // Unknown servers are gated per device; known ones are not, once they were allowed.
    applied: (own, incoming) => ({
      mcpServers: incoming.mcpServers.map((each) =>
        isDisabledHere(own, each) ? { ...each, enabled: false } : each,
      ),
    }),
    asks: (own, incoming) => unknownServers(own, incoming).length > 0,
  },
  mcpServer: {
    ...together(
      ['mcpServerEnabled', 'mcpServerWrites', 'mcpServerMode'],
      (own, incoming) => servingRank(incoming) > servingRank(own),
    ),
    ...gated(['mcpServerEnabled', 'mcpServerWrites', 'mcpServerMode']),
  },
  smartHole: together(
    ['smartHole', 'smartHolePort'],
    (own, incoming) => incoming.smartHole && differ(own, incoming, 'smartHole', 'smartHolePort'),
  ),
  tools: {
    names: ['tools'],
    trusted: (own, incoming) => ({ tools: trustedTools(own, incoming) }),
  },
  disabledAgents: {
    names: ['disabledAgents'],
    trusted: (own, incoming) => ({
      disabledAgents: union(incoming.disabledAgents, own.disabledAgents),
    }),
  },
  commands: {
    names: ['commands'],
    trusted: ({ commands: own }, { commands }) => ({
      commands: commands.every((id) => own.includes(id))
        ? commands
        : commands.filter((id) => own.includes(id)),
    }),
  },
  excludedFolders: {
    names: ['excludedFolders'],
    trusted: (own, incoming) => ({
      excludedFolders: [...incoming.excludedFolders, ...shownFolders(own, incoming)],
    }),
  },
  excludedTag: together(['excludedTag'], (own, incoming) =>
    own.excludedTag === '' ? false : !isNameWithin(own.excludedTag, incoming.excludedTag),
  ),
  editableScope: together(['editableScope'], (own, incoming) =>
    WIDER[own.editableScope].includes(incoming.editableScope),
  ),
  contextDepth: together(
    ['contextDepth'],
    (own, incoming) => incoming.contextDepth > own.contextDepth,
  ),
  panelMode: mode('panelMode'),
  smartHoleMode: mode('smartHoleMode'),
  allowAdd: capability('allowAdd'),
  allowReplace: capability('allowReplace'),
  allowCreate: capability('allowCreate'),
  allowNavigate: capability('allowNavigate'),
  templateFolder: together(['templateFolder'], (own, incoming) =>
    differ(own, incoming, 'templateFolder'),
  ),
  customToolFolder: optionalFolder('customToolFolder'),
  promptFolder: optionalFolder('promptFolder'),
  assistantName: together(['assistantName', 'wireName'], (own, incoming) =>
    differ(own, incoming, 'assistantName', 'wireName'),
  ),
  limits: {
    names: LIMITS,
    trusted: (own, incoming) => ({
      ...picked(incoming, LIMITS),
      ...picked(own, higherLimits(own, incoming)),
    }),
  },
  prices: {
    names: ['prices'],
    trusted: (own, incoming) => ({ prices: trustedPrices(own, incoming) }),
  },
  conversationsKept: retention('conversationsKept'),
  changeLogMegabytes: retention('changeLogMegabytes'),
} satisfies Record<string, Guard>;

export type GuardName = keyof typeof GUARDS;

const ALL = Object.entries(GUARDS) as readonly (readonly [GuardName, Guard])[];

/** Looser settings that another device saved, and that do not apply here yet. */
export interface HeldChange {
  readonly guard: GuardName;
  /** All settings of this device. */
  readonly own: Settings;
  /** All settings that the other device saved. */
  readonly incoming: Settings;
}

export interface JudgedSettings {
  /** The settings to use on this device. */
  readonly applied: Settings;
  /** What this device trusts from now on, including values that have become stricter. */
  readonly trusted: Settings;
  readonly held: readonly HeldChange[];
}

/** @param own what this device trusts */
export function judgeSettings(own: Settings, incoming: Settings): JudgedSettings {
  let [applied, trusted] = [incoming, incoming];
  const held: HeldChange[] = [];
  for (const [name, guard] of ALL) {
    const values = guard.trusted(own, incoming);
    trusted = { ...trusted, ...values };
    applied = { ...applied, ...(guard.applied?.(own, incoming) ?? values) };
    const asks = guard.asks?.(own, incoming) ?? !isSame(values, picked(incoming, guard.names));
    if (asks) held.push({ guard: name, own, incoming });
  }
  return { applied, trusted, held };
}

/** The incoming values of a held change. */
export function heldValues({ guard, incoming }: HeldChange): Partial<Settings> {
  return picked(incoming, GUARDS[guard].names);
}

/** Identifies what the user was shown: the same change has the same key after a restart. */
export function heldKey(change: HeldChange): string {
  return JSON.stringify([change.guard, heldValues(change)]);
}

/** The settings that are trusted together with this one, including itself; empty if it is free. */
export function trustedWith(name: SettingName): readonly SettingName[] {
  return ALL.find(([, { names }]) => names.includes(name))?.[1].names ?? [];
}

/** Only the settings that need trust. */
export function guardedSettings(settings: Partial<Settings>): Partial<Settings> {
  return picked(
    settings,
    ALL.flatMap(([, { names }]) => names),
  );
}

/** Enabled servers whose command or address is unknown or disabled on this device. */
export function unknownServers(own: Settings, incoming: Settings): readonly McpServer[] {
  const known = new Set(own.mcpServers.filter(({ enabled }) => enabled).map(serverIdentity));
  return incoming.mcpServers.filter((each) => each.enabled && !known.has(serverIdentity(each)));
}

/** Whether this device knows the server's command or address and has disabled it. */
export function isDisabledHere(own: Settings, server: McpServer): boolean {
  const same = own.mcpServers.filter((each) => serverIdentity(each) === serverIdentity(server));
  return same.length > 0 && same.every(({ enabled }) => !enabled);
}

/** Tools that the incoming settings permit more than this device's. */
export function looserTools(
  own: Settings,
  incoming: Settings,
): readonly { readonly tool: string; readonly from: Permission; readonly to: Permission }[] {
  const keys = new Set([...Object.keys(own.tools), ...Object.keys(incoming.tools)]);
  return [...keys].flatMap((tool) => {
    const otherwise = defaultPermission(tool);
    const [from, to] = [
      permissionSet(own, tool, otherwise),
      permissionSet(incoming, tool, otherwise),
    ];
    return PERMISSIONS.indexOf(to) > PERMISSIONS.indexOf(from) ? [{ tool, from, to }] : [];
  });
}

/** Folders that are hidden here and not in the incoming settings. */
export function shownFolders(own: Settings, incoming: Settings): readonly string[] {
  return own.excludedFolders.filter(
    (folder) => !incoming.excludedFolders.some((each) => isNameWithin(folder, each)),
  );
}

/** Limits that are higher than on this device. */
export function higherLimits(own: Settings, incoming: Settings): readonly LimitName[] {
  return LIMITS.filter((name) => {
    // No limit is the highest one.
    const [ours, theirs] = [own, incoming].map(({ [name]: value }) =>
      value === 0 && isMoney(name) ? Infinity : value,
    ) as [number, number];
    return theirs > ours;
  });
}

/** Models whose calls would count as cheaper, or whose price is not known on this device. */
export function changedPrices(own: Settings, incoming: Settings): readonly string[] {
  const models = new Set([...Object.keys(own.prices), ...Object.keys(incoming.prices)]);
  return [...models].filter((model) => {
    const [ours, theirs] = [own, incoming].map(({ prices }) =>
      Object.hasOwn(prices, model) ? prices[model] : undefined,
    );
    return !ours || !theirs || PRICES.some((name) => theirs[name] < ours[name]);
  });
}

const PRICES = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;

/** The strictest one first. */
const PERMISSIONS: readonly Permission[] = ['off', 'ask', 'allow'];

/** Scopes that include notes which the named scope does not. */
const WIDER: Readonly<Record<Settings['editableScope'], readonly Settings['editableScope'][]>> = {
  current: ['linked', 'context', 'vault'],
  linked: ['context', 'vault'],
  context: ['current', 'linked', 'vault'],
  vault: [],
};

function together(
  names: readonly SettingName[],
  isLooser: (own: Settings, incoming: Settings) => boolean,
): Guard {
  return {
    names,
    trusted: (own, incoming) => picked(isLooser(own, incoming) ? own : incoming, names),
  };
}

function mode(name: 'panelMode' | 'smartHoleMode'): Guard {
  return together(
    [name],
    (own, incoming) => MODES.indexOf(incoming[name]) > MODES.indexOf(own[name]),
  );
}

function capability(name: 'allowAdd' | 'allowReplace' | 'allowCreate' | 'allowNavigate'): Guard {
  return together([name], (own, incoming) => incoming[name] && !own[name]);
}

/** A folder whose notes the agent uses; without one it uses none. */
function optionalFolder(name: 'customToolFolder' | 'promptFolder'): Guard {
  return together([name], (own, incoming) => incoming[name] !== '' && differ(own, incoming, name));
}

/** How much is kept; what is removed is lost. */
function retention(name: 'conversationsKept' | 'changeLogMegabytes'): Guard {
  return together([name], (own, incoming) => incoming[name] < own[name]);
}

function isMoney(name: LimitName): boolean {
  return name === 'moneyPerTurn' || name === 'moneyPerDay';
}

function trustedPrices(own: Settings, incoming: Settings): Settings['prices'] {
  const changed = changedPrices(own, incoming);
  const kept = Object.entries(incoming.prices).filter(([model]) => !changed.includes(model));
  const ours = Object.entries(own.prices).filter(([model]) => changed.includes(model));
  return Object.fromEntries([...kept, ...ours]);
}

/** 0 while no client can connect. */
function servingRank({ mcpServerEnabled, mcpServerWrites, mcpServerMode }: Settings): number {
  if (!mcpServerEnabled) return 0;
  return mcpServerWrites ? 2 + MODES.indexOf(mcpServerMode) : 1;
}

function knownServers(own: Settings, incoming: Settings): readonly McpServer[] {
  const known = new Set(own.mcpServers.map(serverIdentity));
  return incoming.mcpServers
    .filter((each) => known.has(serverIdentity(each)))
    .map((each) => (isDisabledHere(own, each) ? { ...each, enabled: false } : each));
}

function trustedTools(own: Settings, incoming: Settings): Settings['tools'] {
  const looser = looserTools(own, incoming).map(({ tool }) => tool);
  if (looser.length === 0) return incoming.tools;
  const kept = Object.entries(incoming.tools).filter(([tool]) => !looser.includes(tool));
  const ours = Object.entries(own.tools).filter(([tool]) => looser.includes(tool));
  return Object.fromEntries([...kept, ...ours]);
}

function union(some: readonly string[], others: readonly string[]): readonly string[] {
  return [...some, ...others.filter((each) => !some.includes(each))];
}

/** Whether a folder or tag is the other one or inside it. */
function isNameWithin(name: string, outer: string): boolean {
  const plain = (each: string) => foldPath(each).replace(/^\/+|\/+$/g, '');
  return plain(outer) !== '' && isWithin(plain(name), plain(outer));
}

function differ(own: Settings, incoming: Settings, ...names: readonly SettingName[]): boolean {
  return names.some((name) => own[name] !== incoming[name]);
}

function picked(settings: Partial<Settings>, names: readonly SettingName[]): Partial<Settings> {
  return Object.fromEntries(
    names.filter((name) => name in settings).map((name) => [name, settings[name]]),
  );
}

function isSame(some: Partial<Settings>, others: Partial<Settings>): boolean {
  return (
    JSON.stringify(Object.entries(some).sort()) === JSON.stringify(Object.entries(others).sort())
  );
}
