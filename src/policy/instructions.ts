/**
 * Notes and folders with instructions for agents or plugins. Changing them requires the user's
 * approval in every mode.
 */
import type { Effect } from '#model/change';
import { looseSegments, nameOf, parsePath } from './paths';

/** Instructions for all agents, in the vault's root or any folder; compared in its loosest form. */
const AGENTS_NOTE = 'agents.md';

/**
 * The path of an effect that affects instructions: it is such a note, is in such a folder, or is
 * moved or deleted with them. Null if there is none.
 * @param places vault paths of folders and notes from the settings
 */
export function instructionsIn(effect: Effect, places: readonly string[]): string | null {
  const takesAway = effect.kind === 'move' || effect.kind === 'delete';
  const folded = places.flatMap((place) => {
    const parsed = parsePath(place);
    return parsed.ok && parsed.path !== '' ? [looseSegments(parsed.path).join('/')] : [];
  });
  const isOne = (path: string) => {
    const own = looseSegments(path).join('/');
    if (nameOf(own) === AGENTS_NOTE) return true;
    return folded.some((place) => {
      // The settings may name a template note without its extension.
      const isWithin = own === place || own === `${place}.md` || own.startsWith(`${place}/`);
      return isWithin || (takesAway && place.startsWith(`${own}/`));
    });
  };
  const paths = effect.kind === 'move' ? [effect.path, effect.to] : [effect.path];
  return paths.find(isOne) ?? null;
}
