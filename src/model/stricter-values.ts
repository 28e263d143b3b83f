/**
 * For settings that need the user's confirmation on this device: what applies of a value in the
 * synced file beside the value in force here. Each result permits no more than `own` does.
 */
import { foldPath, isWithin } from '#text/paths';
import { type McpServer, serverIdentity } from './mcp-server';
import {
  defaultPermission,
  MODES,
  permissionSet,
  type EditableScope,
  type Mode,
  type Permission,
  type Permissions,
} from './setting-choices';

export type Stricter<Value> = (own: Value, saved: Value) => Value;

export const lower: Stricter<number> = (own, saved) => Math.min(own, saved);

export const higher: Stricter<number> = (own, saved) => Math.max(own, saved);

/** For limits in which 0 means none. */
export const lowerLimit: Stricter<number> = (own, saved) =>
  (saved || Infinity) < (own || Infinity) ? saved : own;

export const off: Stricter<boolean> = (own, saved) => own && saved;

/** For texts that permit nothing while they are empty. */
export const empty = <Value extends string>(own: Value, saved: Value): Value =>
  saved === '' ? saved : own;

export const stricterMode: Stricter<Mode> = (own, saved) =>
  MODES.indexOf(saved) < MODES.indexOf(own) ? saved : own;

export const narrowerScope: Stricter<EditableScope> = (own, saved) =>
  own === 'vault' || (own === 'linked' && saved === 'current') ? saved : own;

export const all: Stricter<readonly string[]> = (own, saved) => [
  ...saved,
  ...own.filter((each) => !saved.includes(each)),
];

export const common: Stricter<readonly string[]> = (own, saved) =>
  saved.filter((each) => own.includes(each));

export const allFolders: Stricter<readonly string[]> = (own, saved) => [
  ...saved,
  ...own.filter((folder) => !saved.some((each) => isNameWithin(folder, each))),
];

export const widerTag: Stricter<string> = (own, saved) =>
  own === '' || isNameWithin(own, saved) ? saved : own;

/** The strictest one first. */
const PERMISSIONS: readonly Permission[] = ['off', 'ask', 'allow'];

export const stricterTools: Stricter<Permissions> = (own, saved) => {
  const rank = (tools: Permissions, tool: string) =>
    PERMISSIONS.indexOf(permissionSet({ tools }, tool, defaultPermission(tool)));
  const looser = [...new Set([...Object.keys(own), ...Object.keys(saved)])].filter(
    (tool) => rank(saved, tool) > rank(own, tool),
  );
  const kept = Object.entries(saved).filter(([tool]) => !looser.includes(tool));
  const ours = Object.entries(own).filter(([tool]) => looser.includes(tool));
  return Object.fromEntries([...kept, ...ours]);
};

/**
 * Servers are on only if exactly this command or address is on here. They keep the name by which the
 * user knows them in approvals.
 */
export const knownServers: Stricter<readonly McpServer[]> = (own, saved) => {
  const known = new Map(own.map((each) => [serverIdentity(each), each]));
  return saved.map((each) => {
    const mine = known.get(serverIdentity(each));
    return !each.enabled ? each : mine?.enabled ? mine : { ...each, enabled: false };
  });
};

/** Whether a folder or tag is the other one or inside it. */
function isNameWithin(name: string, outer: string): boolean {
  const plain = (each: string) => foldPath(each).replace(/^\/+|\/+$/g, '');
  return plain(outer) !== '' && isWithin(plain(name), plain(outer));
}
