/**
 * Where a block's HTML that has grown parts from the HTML that is drawn of it. What lies before that place stays, so
 * that a long list, table or piece of code costs no more at its end than at its beginning.
 */

/** An element that is open at the seam; the first is the one that holds the block and that no tag names. */
export interface Level {
  readonly name: string;
  /** Its opening tag as it is written. */
  readonly tag: string;
  /** So many of its children stay, the next level among them. */
  readonly kept: number;
  /** So many it has as it is drawn. */
  readonly had: number;
}

export interface Seam {
  /** Its place in both texts. */
  readonly at: number;
  /** From the outside to the inside. */
  readonly levels: readonly Level[];
  /** So many characters at the end of the last text that stays do not. */
  readonly dropped: number;
}

interface Open {
  readonly name: string;
  readonly tag: string;
  children: number;
}

/** A tag, or the text between two. The dialect leaves no other `<` unescaped, and closes what it opens. */
const PIECE = /<(\/?)(\w+)(?:[^>"]|"[^"]*")*>|[^<]+/g;

const WITHOUT_END = new Set(['br', 'hr', 'input']);

/** What stands for one character; how many others stand for is the browser's to know. */
const ESCAPE = /&(?:amp|lt|gt|quot|#\d\d);/g;

export function seamOf(before: string, after: string): Seam {
  const open: Open[] = [{ name: '', tag: '', children: 0 }];
  let path: { readonly element: Open; kept: number }[] | null = null;
  const opened = () => open.map((element) => ({ element, kept: element.children }));
  let at = 0;
  let dropped = 0;
  for (const [piece, slash, name] of before.matchAll(PIECE)) {
    if (path === null && after.startsWith(piece, at)) {
      at += piece.length;
    } else if (path === null) {
      path = opened();
      const stays = name === undefined ? sameText(piece, after.slice(at, at + piece.length)) : null;
      const last = path.at(-1);
      if (stays && last) {
        last.kept += 1;
        at += stays.same;
        ({ dropped } = stays);
      }
    }
    if (slash) {
      open.pop();
      continue;
    }
    const holder = open.at(-1);
    if (holder) holder.children += 1;
    if (name && !WITHOUT_END.has(name)) open.push({ name, tag: piece, children: 0 });
  }
  path ??= opened();
  const levels = path.map(({ element: { name, tag, children }, kept }) => {
    return { name, tag, kept, had: children };
  });
  return { at, levels, dropped };
}

/** How much of a text's beginning stays, in HTML, and how many characters of its end do not. */
function sameText(before: string, after: string): { same: number; dropped: number } | null {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  // Not in the middle of what stands for one character.
  const sign = same > 0 ? before.lastIndexOf('&', same - 1) : -1;
  if (sign >= 0 && before.indexOf(';', sign) >= same) same = sign;
  const rest = before.slice(same).replace(ESCAPE, '-');
  return same === 0 || rest.includes('&') ? null : { same, dropped: rest.length };
}
