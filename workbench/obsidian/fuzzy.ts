import { prepareFuzzySearch as prepare } from 'obsidian-test-mocks/obsidian';
import type { SearchResult } from 'obsidian';

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
