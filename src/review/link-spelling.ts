/**
 * When something moves back, the host writes the links to it in its own way, which may not be the way in which they were
 * written before the move. They lead to the same place; this gives them back their words.
 */
import type { LinkingNote } from '#model/change';

/** The opening, where it leads, and the rest with heading, alias and closing. */
const LINK = /(\[\[)([^\]|#\n]*)([^\]\n]*\]\])|(\]\(<?)([^)>#\s]*)([^)\n]*\))/g;

interface Link {
  readonly opening: string;
  readonly target: string;
  readonly rest: string;
  readonly at: number;
}

/**
 * `now` with the links to the file at `path` as they stand in `before`. The same text where somebody has added or
 * removed a link meanwhile, since then nobody can say which is which.
 */
export function respelled(now: string, { before }: LinkingNote, path: string): string {
  const [own, old] = [linksTo(now, path), linksTo(before, path)];
  if (own.length !== old.length) return now;
  let text = '';
  let end = 0;
  for (const [place, { opening, target, rest, at }] of own.entries()) {
    const was = old[place];
    const isSame = was?.opening === opening && was.rest === rest;
    const start = at + opening.length;
    text += now.slice(end, start) + (isSame ? was.target : target);
    end = start + target.length;
  }
  return text + now.slice(end);
}

function linksTo(text: string, path: string): Link[] {
  return [...text.matchAll(LINK)].flatMap((found) => {
    const [, wiki, wikiTarget, wikiRest, markdown, target, rest] = found;
    const link = {
      opening: wiki ?? markdown ?? '',
      target: wikiTarget ?? target ?? '',
      rest: wikiRest ?? rest ?? '',
      at: found.index,
    };
    return leadsTo(link.target, path) ? [link] : [];
  });
}

/** Whether it names the file by its path, or by the end of it. */
function leadsTo(target: string, path: string): boolean {
  const named = withoutExtension(decoded(target)).replace(/^(?:\.{0,2}\/)+/, '');
  const whole = withoutExtension(path).toLowerCase();
  const end = named.toLowerCase();
  return end !== '' && (whole === end || whole.endsWith(`/${end}`));
}

function decoded(target: string): string {
  try {
    return decodeURI(target);
  } catch {
    return target;
  }
}

function withoutExtension(path: string): string {
  return path.replace(/\.md$/i, '');
}
