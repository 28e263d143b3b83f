/** Which models of an endpoint to recommend, and whether two ids name the same model. */

interface ListedModel {
  readonly id: string;
  readonly deprecated: boolean;
}

/** Whether two ids name the same model. A dated id names the same model as its undated one. */
export function isSameModel(one: string, other: string): boolean {
  return undated(one) === undated(other);
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
  const newest = new Map<string, { model: Model; version: number }>();
  for (const model of models) {
    const match = /^claude-([a-z]+)-(\d+)(?:-(\d{1,2}))?$/.exec(undated(model.id));
    if (!match || model.deprecated) continue;
    const [, family = '', major = '', minor = '0'] = match;
    const version = Number(major) * 100 + Number(minor);
    if (version > (newest.get(family)?.version ?? -1)) newest.set(family, { model, version });
  }
  return [...newest.values()].map(({ model }) => model);
}

function undated(id: string): string {
  return id.replace(/-\d{8}$/, '');
}
