/**
 * Words of the modes, and the menu of models: recommended ones with their prices, thinking, and all
 * models.
 */
import { MODE_NAMES, THINKING_NAMES } from '#messages/choice-names';
import * as t from '#messages/composer-messages';
import { THINKING_LEVELS, type Mode } from '#model/setting-choices';
import { listedModel, recommendedModels } from '#model/model-name';
import type { ModelInfo } from '#ports/model-provider';
import type { MenuEntry, MenuItem, Ui } from '#ports/ui';
import type { SettingsState } from '#stores/settings-state';

const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  trailingZeroDisplay: 'stripIfInteger',
});

export interface ModelMenuDeps {
  readonly settings: SettingsState;
  readonly ui: Pick<Ui, 'menu' | 'openSettings'>;
}

/** Opens the menu below `anchor`. */
export async function openModelMenu(anchor: HTMLElement, deps: ModelMenuDeps): Promise<void> {
  const { settings, ui } = deps;
  const models = await settings.loadModels();
  const recommended = recommendedModels(models).toSorted(
    (a, b) => (settings.price(a.id)?.output ?? 0) - (settings.price(b.id)?.output ?? 0),
  );
  const current = listedModel(models, settings.now.model);
  const others = models.length - recommended.length;
  const item = (model: ModelInfo) => itemOf(model, current, settings);
  const entries: readonly MenuEntry[] =
    recommended.length === 0
      ? models.map(item)
      : [
          ...(current && !recommended.includes(current) ? [item(current)] : []),
          t.recommendedModels,
          ...recommended.map(item),
        ];
  ui.menu(anchor, [
    ...entries,
    ...(recommended.length > 0 && others > 0
      ? [{ title: t.allModels, icon: 'list', run: () => openAll(anchor, models, deps) }]
      : []),
    ...thinkingItems(current, settings),
    null,
    { title: t.modelSettings, icon: 'settings', run: () => ui.openSettings('model') },
  ]);
}

function openAll(
  anchor: HTMLElement,
  models: readonly ModelInfo[],
  { settings, ui }: ModelMenuDeps,
): void {
  const current = listedModel(models, settings.now.model);
  ui.menu(anchor, [t.pricedModels, ...models.map((model) => itemOf(model, current, settings))]);
}

function itemOf(
  model: ModelInfo,
  current: ModelInfo | undefined,
  settings: SettingsState,
): MenuItem {
  const { id, deprecated } = model;
  const price = settings.price(id);
  const name = settings.nameOf(id);
  const title = deprecated ? t.retiringModel(name) : name;
  return {
    title: price
      ? t.modelPrice(title, dollars.format(price.input), dollars.format(price.output))
      : title,
    checked: model === current,
    run: () => void settings.set({ model: id }),
  };
}

/** Nothing for a model that can't think, or while the server can't be asked to. */
function thinkingItems(
  current: ModelInfo | undefined,
  settings: SettingsState,
): readonly MenuEntry[] {
  const levels = settings.now.compatibility ? [] : (current?.thinkingLevels ?? []);
  if (levels.length === 0) return [];
  const { thinking } = settings.now;
  const chosen = levels.includes(thinking) ? thinking : 'auto';
  return [
    null,
    t.thinking,
    ...THINKING_LEVELS.filter((level) => levels.includes(level)).map((level) => ({
      title: THINKING_NAMES[level],
      checked: level === chosen,
      run: () => void settings.set({ thinking: level }),
    })),
  ];
}

export interface ModeWords {
  readonly name: string;
  readonly icon: string;
  /** For example "changes nothing". */
  readonly what: string;
}

export const MODE_WORDS: Record<Mode, ModeWords> = {
  'read-only': { name: MODE_NAMES['read-only'], icon: 'eye', what: t.readOnlyDetail },
  review: { name: MODE_NAMES.review, icon: 'file-pen-line', what: t.reviewDetail },
  apply: { name: MODE_NAMES.apply, icon: 'pencil', what: t.applyDetail },
};
