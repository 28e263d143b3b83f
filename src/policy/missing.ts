import { quote } from './paths';

/** What is said of a path that does not exist, and of one that must seem not to. */
export function missing(path: string, closeMatches: readonly string[]): string {
  const next =
    closeMatches.length > 0
      ? `Close matches: ${closeMatches.map(quote).join(', ')}.`
      : 'Nothing is called like it; list_files finds names, search_files what notes say.';
  return `${quote(path)} does not exist. ${next}`;
}
