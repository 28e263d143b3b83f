import type { Permission, Settings } from './settings';

/** What the person has set for a tool by its permission key; `otherwise` where they have set nothing. */
export function permissionSet(
  { tools }: Pick<Settings, 'tools'>,
  key: string,
  otherwise: Permission,
): Permission {
  // A tool may have the name of something that every object has.
  return (Object.hasOwn(tools, key) ? tools[key] : undefined) ?? otherwise;
}
