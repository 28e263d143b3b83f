/** The actions that the field of a quick edit offers, and the user's prompt notes. */
import * as t from '#messages/quick-edit-messages';
import type { PromptNote } from '#ports/app/composer-port';
import type { Ui } from '#ports/ui';
import { fittingSuggestions, type ListedSuggestion } from '../composer/mentions';

export interface QuickEditAction extends ListedSuggestion {
  /** The instruction; with `start` it is only its beginning, and the user types the rest. */
  readonly does:
    { readonly send: string } | { readonly start: string } | { readonly prompt: string };
}

const ON_TEXT: readonly QuickEditAction[] = [
  action('sparkles', t.rewrite, { send: t.rewriteText }),
  action('minimize-2', t.shorten, { send: t.shortenText }),
  action('arrow-right', t.continueWriting, { send: t.continueText }),
  action('spell-check', t.fix, { send: t.fixText }),
  action('languages', t.translate, { start: t.translateStart }),
  action('list', t.makeList, { send: t.makeListText }),
  action('table', t.makeTable, { send: t.makeTableText }),
  action('link', t.addLinks, { send: t.addLinksText }),
];

const ON_EMPTY_LINE: readonly QuickEditAction[] = [
  action('arrow-right', t.continueWriting, { send: t.continueHereText }),
  action('list', t.writeList, { start: t.writeListStart }),
  action('table', t.writeTable, { start: t.writeTableStart }),
];

function action(icon: string, title: string, does: QuickEditAction['does']): QuickEditAction {
  return { id: title, icon, title, marks: [], aside: '', does };
}

/** Those that match what is typed. */
export function quickEditActions(
  typed: string,
  isBlank: boolean,
  prompts: readonly PromptNote[],
  fuzzy: Ui['fuzzy'],
): readonly QuickEditAction[] {
  const all = [
    ...(isBlank ? ON_EMPTY_LINE : ON_TEXT),
    ...prompts.map(({ path, name }) => ({
      ...action('text-quote', name, { prompt: path }),
      id: `prompt ${path}`,
    })),
  ];
  return fittingSuggestions(all, typed, fuzzy);
}
