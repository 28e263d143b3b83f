import { prepareFuzzySearch as prepare } from 'obsidian-test-mocks/obsidian';
import type { SearchResult } from 'obsidian';

/** The mocks count the better fit as the lower one; in the app the higher is better, and a shorter text than a longer. */
export function prepareFuzzySearch(query: string): (text: string) => SearchResult | null {
  const find = prepare(query);
  return (text) => {
    const found = find(text);
    return found && { matches: found.matches, score: -found.score - text.length / 10 };
  };
}
