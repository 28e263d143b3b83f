import type { Permission, Settings } from './settings';
import { serverIdentity, type ToolServer } from './tool-server';

/**
 * What holds on of what the person has set for tools, when servers are listed otherwise: a yes to the tools of one was no
 * yes to what another command or address does. The same object where all of it does.
 */
export function permissionsWith(
  next: readonly ToolServer[],
  { tools, toolServers }: Pick<Settings, 'tools' | 'toolServers'>,
): Settings['tools'] {
  const now = new Map(next.map((each) => [each.id, serverIdentity(each)]));
  const others = toolServers.filter((each) => now.get(each.id) !== serverIdentity(each));
  const holds = ([key, permission]: [string, Permission]) => {
    const server = others.find(({ id }) => key.startsWith(`${id} `));
    return !server || (now.has(server.id) && permission !== 'allow');
  };
  const held = Object.entries(tools).filter(holds);
  return held.length === Object.keys(tools).length ? tools : Object.fromEntries(held);
}
