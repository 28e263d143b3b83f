/**
 * Claude models by their ids: names and versions, which of an endpoint's models to recommend, and
 * whether two ids name the same model.
 */
import { capitalize } from '#text/shorten';

/** The id without the date that some ids end with. */
export function undatedModel(id: string): string {
  return id.replace(/-\d{8}$/, '');
}

interface ListedModel {
  readonly id: string;
  readonly deprecated: boolean;
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

/** Higher for a newer version. */
function orderOf({ major, minor }: Version): number {
  return major * 100 + minor;
}

/** "Claude Haiku 4.5" for `claude-haiku-4-5-20251001`; any other id as it is. */
export function modelNameFrom(id: string): string {
  const version = versionOf(id);
  if (!version) return id;
  const { family, major, minor } = version;
  return `Claude ${capitalize(family)} ${minor === 0 ? major : `${major}.${minor}`}`;
}

export function isHaiku(id: string): boolean {
  return versionOf(id)?.family === 'haiku';
}

/** The id with the highest version among the Haiku models that are not deprecated. */
export function newestHaiku(models: readonly ListedModel[]): string | null {
  let newest: { id: string; order: number } | null = null;
  for (const { id, deprecated } of models) {
    const version = versionOf(id);
    if (deprecated || version?.family !== 'haiku') continue;
    const order = orderOf(version);
    if (!newest || order > newest.order) newest = { id, order };
  }
  return newest?.id ?? null;
}

/** Whether two ids name the same model. A dated id names the same model as its undated one. */
function isSameModel(one: string, other: string): boolean {
  return undatedModel(one) === undatedModel(other);
}

/** The entry with this id, or else the one that names the same model. */
export function listedModel<Model extends ListedModel>(
  models: readonly Model[],
  id: string,
): Model | undefined {
  return models.find((each) => each.id === id) ?? models.find((each) => isSameModel(each.id, id));
}

/** The newest Claude model of each family that is not deprecated. */
export function recommendedModels<Model extends ListedModel>(
  models: readonly Model[],
): readonly Model[] {
  const newest = new Map<string, { model: Model; order: number }>();
  for (const model of models) {
    const version = versionOf(model.id);
    if (!version || model.deprecated) continue;
    const order = orderOf(version);
    if (order > (newest.get(version.family)?.order ?? -1)) {
      newest.set(version.family, { model, order });
    }
  }
  return [...newest.values()].map(({ model }) => model);
}
