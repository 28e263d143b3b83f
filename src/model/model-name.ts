/** Names and versions of Claude models, by their ids. */

/** The id without the date that some ids end with. */
export function undatedModel(id: string): string {
  return id.replace(/-\d{8}$/, '');
}

interface Version {
  readonly family: string;
  readonly major: number;
  readonly minor: number;
}

function versionOf(id: string): Version | null {
  const match = /^claude-([a-z]+)-(\d+)(?:-(\d{1,2}))?$/.exec(undatedModel(id));
  if (!match) return null;
  const [, family = '', major = '', minor = '0'] = match;
  return { family, major: Number(major), minor: Number(minor) };
}

/** "Claude Haiku 4.5" for `claude-haiku-4-5-20251001`; any other id as it is. */
export function modelNameFrom(id: string): string {
  const version = versionOf(id);
  if (!version) return id;
  const { family, major, minor } = version;
  const name = family.charAt(0).toUpperCase() + family.slice(1);
  return `Claude ${name} ${minor === 0 ? major : `${major}.${minor}`}`;
}

export function isHaiku(id: string): boolean {
  return versionOf(id)?.family === 'haiku';
}

/** The id with the highest version among the Haiku models that are not deprecated. */
export function newestHaiku(
  models: readonly { readonly id: string; readonly deprecated: boolean }[],
): string | null {
  let newest: { id: string; order: number } | null = null;
  for (const { id, deprecated } of models) {
    const version = versionOf(id);
    if (deprecated || version?.family !== 'haiku') continue;
    const order = version.major * 100 + version.minor;
    if (!newest || order > newest.order) newest = { id, order };
  }
  return newest?.id ?? null;
}
