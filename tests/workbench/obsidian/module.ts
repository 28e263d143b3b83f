import type { SearchResult } from 'obsidian';
import { prepareFuzzySearch as prepare } from 'obsidian-test-mocks/obsidian';

/**
 * The module that `require('obsidian')` returns: the mocks, with replacements for what they lack or
 * get wrong.
 */
export * from 'obsidian-test-mocks/obsidian';
export { editorInfoField, editorLivePreviewField } from './editor-fields';
export { getIcon, setIcon } from './icons';
export { getFrontMatterInfo, parseYaml, stringifyYaml } from './metadata/front-matter';
export { getAllTags, parseFrontMatterAliases, parseFrontMatterTags } from './metadata/front-matter';
export { normalizePath } from './paths';
export { request, requestUrl } from './request-url';

/**
 * As in Obsidian, higher scores are better: for adjacent characters, early matches and short texts.
 */
export function prepareFuzzySearch(query: string): (text: string) => SearchResult | null {
  const find = prepare(query);
  return (text) => {
    const found = find(text);
    if (!found) return null;
    const { matches } = found;
    const first = matches[0]?.[0] ?? 0;
    return { matches, score: -matches.length - first / 10 - text.length / 100 };
  };
}
