/**
 * Files that tell an agent or a program what to do. Changing one requires the user's approval in
 * every mode.
 */
import type { Effect } from '#model/change';
import { isWithin, looseSegments, nameOf, parsePath } from '#text/paths';

/**
 * Names that programs look for in any folder, in their loosest form. Those that begin with a dot
 * are protected.
 */
const NAMES: readonly RegExp[] = [
  // `AGENTS.override.md` counts; "Agents of change.md" is an ordinary note.
  /^agents?(?![\p{L}\s]).*\.md$/u,
  /^(claude|gemini|qwen|codex|warp|crush|skill)(\..*)?\.md$/,
  /^(opencode|crush)\.jsonc?$/,
  /^copilot-instructions\.md$/,
  /\.(instructions|prompt|chatmode|agent)\.md$/,
  /\.(mdc|prompty)$/,
  /^(cursor|windsurf|cline|roo)rules$/,
  /^llms([._-].*)?\.(txt|md)$/,
];

function isInstructionName(name: string): boolean {
  return NAMES.some((each) => each.test(name));
}

/**
 * The path of an effect that affects instructions: it is such a file, is in such a folder, or is
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
    if (isInstructionName(nameOf(own))) return true;
    return folded.some((place) => {
      // The settings may name a template note without its extension.
      const isOfPlace = isWithin(own, place) || own === `${place}.md`;
      return isOfPlace || (takesAway && place.startsWith(`${own}/`));
    });
  };
  const paths = effect.kind === 'move' ? [effect.path, effect.to] : [effect.path];
  return paths.find(isOne) ?? null;
}
