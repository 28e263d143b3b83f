/** Places whose text tells agents or plugins what to do: writing there asks the user in every mode. */
import type { Effect } from '#model/change';
import { foldPath, nameOf, parsePath } from './paths';

/** The note in which a user tells every agent how to work, in the vault's root or for one folder. */
const AGENTS_NOTE = 'agents.md';

/**
 * The path of the effect that is such a place, lies in one, or holds one; null for none.
 *
 * @param places folders and notes by their vault path, as settings name them
 */
export function instructionsIn(effect: Effect, places: readonly string[]): string | null {
  const takesAway = effect.kind === 'move' || effect.kind === 'delete';
  const folded = places.flatMap((place) => {
    const parsed = parsePath(place);
    return parsed.ok && parsed.path !== '' ? [foldPath(parsed.path)] : [];
  });
  const isOne = (path: string) => {
    const own = foldPath(path);
    if (nameOf(own) === AGENTS_NOTE) return true;
    return folded.some((place) => {
      // A template note may be named without its extension.
      const isWithin = own === place || own === `${place}.md` || own.startsWith(`${place}/`);
      return isWithin || (takesAway && place.startsWith(`${own}/`));
    });
  };
  const paths = effect.kind === 'move' ? [effect.path, effect.to] : [effect.path];
  return paths.find(isOne) ?? null;
}
