import { braceExpand, Minimatch } from 'minimatch';
import { folderOf } from '#text/paths';
import { clip, codeSpan } from '#text/shorten';

/** Matches vault paths (no leading slash, NFC), ignoring case. */
export interface Glob {
  matches(path: string): boolean;
}

export type CompiledGlob = { ok: true; glob: Glob } | { ok: false; reason: string };

const MAX_GLOB_CHARS = 500;
const MAX_ALTERNATIVES = 256;

/**
 * A glob without a slash matches names in any folder; with a slash it matches whole paths. A
 * leading `/` or `./` anchors it at the root, and a trailing slash means everything in the folder.
 * A leading `!` and round brackets are literal, because file names often contain them.
 */
export function compileGlob(written: string): CompiledGlob {
  if (written === '') return refuse(written, 'is empty');
  if (written.length > MAX_GLOB_CHARS)
    return refuse(written, `is longer than ${MAX_GLOB_CHARS} characters`);
  if (written.includes('\0')) return refuse(written, 'contains a NUL byte');
  const slashed = withSlashes(written.normalize('NFC'));
  const unclosed = unclosedBracket(slashed);
  if (unclosed) return refuse(written, `has a \`${unclosed}\` that is never closed`);
  if (/(^|\/)\.\.(\/|$)/.test(slashed)) return refuse(written, 'climbs with `..`');
  if (/!\(|[@+?*]\([^)]*\|/.test(slashed)) {
    return refuse(written, 'has alternatives in round brackets; they go in braces');
  }

  const expanded = braceExpand(slashed, { braceExpandMax: MAX_ALTERNATIVES + 1 });
  if (expanded.length > MAX_ALTERNATIVES) {
    return refuse(written, `expands to more than ${MAX_ALTERNATIVES} patterns`);
  }
  const alternatives = expanded.map(matcherOf);
  return { ok: true, glob: { matches: (path) => alternatives.some((each) => each.match(path)) } };
}

/**
 * A glob over files that also accepts the name of a folder for everything in it: `Lists`, `lists/`
 * and `Projects/{Garden,Shed}`. The last segment must be a plain name, because `*` would match
 * every folder.
 */
export function compileFileGlob(written: string): CompiledGlob {
  const compiled = compileGlob(written);
  const folder = written.replace(/(?<=.)[\\/]+$/, '');
  const last = /[^\\/]*$/.exec(folder)?.[0] ?? '';
  if (!compiled.ok || last === '' || /[*?[]/.test(last)) return compiled;
  const asFolder = compileGlob(folder);
  if (!asFolder.ok) return asFolder;
  const known = new Map<string, boolean>([['', false]]);
  const isBelow = (path: string): boolean => {
    const parent = folderOf(path);
    let below = known.get(parent);
    if (below === undefined) {
      below = asFolder.glob.matches(parent) || isBelow(parent);
      known.set(parent, below);
    }
    return below;
  };
  const matches = (path: string): boolean => compiled.glob.matches(path) || isBelow(path);
  return { ok: true, glob: { matches } };
}

function matcherOf(glob: string): Minimatch {
  const relative = glob.replace(/^(\.?\/)+/, '');
  return new Minimatch(relative === '' || relative.endsWith('/') ? `${relative}**` : relative, {
    nocase: true,
    // Hidden files are never listed, and a glob that names them must not look as if nothing
    // matched.
    dot: true,
    nocomment: true,
    nonegate: true,
    noext: true,
    nobrace: true,
    matchBase: !/^\.?\//.test(glob),
    platform: 'linux',
  });
}

/** A backslash before a glob character makes it literal; elsewhere it is a slash. */
function withSlashes(glob: string): string {
  return glob.replace(/\\(?![*?[\]{}()!,\\])/g, '/');
}

function unclosedBracket(glob: string): string | undefined {
  const bare = glob.replace(/\\./g, '').replace(/\[[!^]?\]?[^\]]*\]/g, '');
  if (bare.includes('[')) return '[';
  let depth = 0;
  for (const sign of bare) {
    if (sign === '{') depth++;
    if (sign === '}' && depth > 0) depth--;
  }
  return depth > 0 ? '{' : undefined;
}

function refuse(written: string, because: string): CompiledGlob {
  return {
    ok: false,
    reason:
      `The glob ${codeSpan(clip(written, 120))} ${because}. ` +
      'Valid globs are `*.md`, `Projects/**`, `**/2024-*.md` or `*.{png,jpg}`.',
  };
}
