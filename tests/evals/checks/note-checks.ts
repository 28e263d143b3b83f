/** Checks of the notes after a run. */
import { parse } from 'yaml';
import type { Files } from '../task';
import type { Outcome } from '../outcome';
import { check, excerpt, isIn, shownText, type Check, type Wanted } from './check';

/** Paths that were created, changed or removed. */
export function changedPaths({ before, after }: { before: Files; after: Files }): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((path) => before[path] !== after[path])
    .sort();
}

export function nothingChanges(): Check {
  return check('no note changes', (outcome) => {
    const changed = changedPaths(outcome);
    return changed.length === 0 ? null : `changed: ${changed.join(', ')}`;
  });
}

/** Other notes stay as they are; these may change. */
export function onlyChanges(...paths: readonly string[]): Check {
  return check(`only ${paths.join(', ')} change`, (outcome) => {
    const others = changedPaths(outcome).filter((path) => !paths.includes(path));
    return others.length === 0 ? null : `changed: ${others.join(', ')}`;
  });
}

export function keeps(path: string): Check {
  return check(`${path} stays as it is`, ({ before, after }) =>
    before[path] !== undefined && before[path] === after[path] ? null : 'it is different',
  );
}

export function exists(path: string): Check {
  return check(`${path} exists`, ({ after }) => (path in after ? null : 'it does not'));
}

export function isGone(path: string): Check {
  return check(`${path} is gone`, ({ after }) => (path in after ? 'it exists' : null));
}

export function contains(path: string, ...wanted: readonly Wanted[]): Check {
  return check(`${path} contains ${wanted.map(shownText).join(', ')}`, (outcome) =>
    inNote(outcome, path, (text) => {
      const missing = wanted.filter((each) => !isIn(text, each));
      return missing.length === 0 ? null : `missing: ${missing.map(shownText).join(', ')}`;
    }),
  );
}

export function lacks(path: string, ...unwanted: readonly Wanted[]): Check {
  return check(`${path} does not contain ${unwanted.map(shownText).join(', ')}`, (outcome) =>
    inNote(outcome, path, (text) => {
      const found = unwanted.filter((each) => isIn(text, each));
      return found.length === 0 ? null : `found: ${found.map(shownText).join(', ')}`;
    }),
  );
}

/** Counts whole lines. */
export function hasLine(path: string, wanted: Wanted, count = 1): Check {
  return check(`${path} has ${count} × the line ${shownText(wanted)}`, (outcome) =>
    inNote(outcome, path, (text) => {
      const found = linesOf(text).filter((line) =>
        typeof wanted === 'string' ? line.trim() === wanted : wanted.test(line),
      ).length;
      return found === count ? null : `found ${found} in ${excerpt(text, 400)}`;
    }),
  );
}

/** Every line from before is still there, in order, except these. */
export function keepsLines(path: string, except: readonly Wanted[] = []): Check {
  return check(`${path} keeps its lines`, (outcome) =>
    inNote(outcome, path, (text) => {
      const now = linesOf(text);
      let at = 0;
      for (const line of linesOf(outcome.before[path] ?? '')) {
        if (line.trim() === '' || except.some((each) => isIn(line, each))) continue;
        const found = now.indexOf(line, at);
        if (found < 0) return `lost or moved: ${JSON.stringify(line)}`;
        at = found + 1;
      }
      return null;
    }),
  );
}

/** Line ends at the end of the note do not count. */
export function equals(path: string, wanted: string): Check {
  return check(`${path} has the wanted text`, (outcome) =>
    inNote(outcome, path, (text) =>
      text.trimEnd() === wanted.trimEnd() ? null : `it is ${excerpt(text, 400)}`,
    ),
  );
}

export function hasInOrder(path: string, ...wanted: readonly Wanted[]): Check {
  return check(`${path} has ${wanted.map(shownText).join(' before ')}`, (outcome) =>
    inNote(outcome, path, (text) => {
      const places = wanted.map((each) => text.search(patternOf(each)));
      const isInOrder = places.every(
        (place, index) => place >= 0 && place > (places[index - 1] ?? -1),
      );
      return isInOrder ? null : `it is ${excerpt(text, 400)}`;
    }),
  );
}

/** The text between this heading and the next one of its level or above. */
export function hasInSection(path: string, heading: string, ...wanted: readonly Wanted[]): Check {
  const name = `${path} has ${wanted.map(shownText).join(', ')} below "${heading}"`;
  return check(name, (outcome) =>
    inNote(outcome, path, (text) => {
      const section = sectionOf(text, heading);
      if (section === null) return 'there is no such heading';
      const missing = wanted.filter((each) => !isIn(section, each));
      return missing.length === 0 ? null : `the section is ${excerpt(section, 300)}`;
    }),
  );
}

/** The property has this value; undefined means that it is missing. */
export function hasProperty(path: string, property: string, wanted: unknown): Check {
  return check(`${path} has ${property}: ${JSON.stringify(wanted)}`, (outcome) =>
    inNote(outcome, path, (text) => {
      const found = propertiesOf(text)[property];
      return JSON.stringify(found) === JSON.stringify(wanted)
        ? null
        : `it has ${JSON.stringify(found)}`;
    }),
  );
}

/** A row of a table has these cells, and all rows of the note have as many cells as its header. */
export function hasRow(path: string, ...cells: readonly Wanted[]): Check {
  return check(`${path} has the row ${cells.map(shownText).join(' | ')}`, (outcome) =>
    inNote(outcome, path, (text) => {
      const rows = linesOf(text)
        .filter((line) => line.trim().startsWith('|'))
        .map((line) =>
          line
            .trim()
            .replace(/^\||\|$/g, '')
            .split('|')
            .map((cell) => cell.trim()),
        );
      const width = rows[0]?.length ?? 0;
      const uneven = rows.find((row) => row.length !== width);
      if (uneven) return `a row has ${uneven.length} cells instead of ${width}`;
      const isThere = rows.some((row) =>
        cells.every((wanted, index) => {
          const cell = row[index] ?? '';
          return typeof wanted === 'string' ? cell === wanted : wanted.test(cell);
        }),
      );
      return isThere ? null : 'no row has them';
    }),
  );
}

/** The note has a link to the other one, as a wiki link or a Markdown link. */
export function linksTo(path: string, target: string): Check {
  const name = (target.split('/').at(-1) ?? '').replace(/\.md$/, '');
  return check(`${path} links to ${target}`, (outcome) =>
    inNote(outcome, path, (text) => {
      const links = [...text.matchAll(/\[\[([^\]|#]+)|\]\(([^)#]+)/g)].map((match) =>
        decodeURIComponent(match[1] ?? match[2] ?? '')
          .trim()
          .replace(/\.md$/, ''),
      );
      return links.some((link) => link === name || link.endsWith(`/${name}`))
        ? null
        : `it links to ${links.join(', ') || 'nothing'}`;
    }),
  );
}

/** A new note, wherever the agent put it below this folder, contains these texts. */
export function createsNote(folder: string, ...wanted: readonly Wanted[]): Check {
  const name = `a new note in ${folder || 'the vault'} contains ${wanted.map(shownText).join(', ')}`;
  return check(name, ({ before, after }) => {
    const made = Object.keys(after).filter((path) => !(path in before) && path.startsWith(folder));
    if (made.length === 0) return 'there is no new note';
    const fits = made.some((path) => wanted.every((each) => isIn(after[path] ?? '', each)));
    return fits ? null : `new: ${made.join(', ')}`;
  });
}

/** Some note gained these texts, a new one or another. */
export function someNoteGains(...wanted: readonly Wanted[]): Check {
  return check(`some note gains ${wanted.map(shownText).join(', ')}`, ({ before, after }) => {
    const isGained = Object.entries(after).some(([path, text]) =>
      wanted.every((each) => isIn(text, each) && !isIn(before[path] ?? '', each)),
    );
    return isGained ? null : 'no note has them';
  });
}

/** Notes may be new, but none is changed or removed. */
export function changesNoOldNote(): Check {
  return check('no old note changes', (outcome) => {
    const changed = changedPaths(outcome).filter((path) => path in outcome.before);
    return changed.length === 0 ? null : `changed: ${changed.join(', ')}`;
  });
}

export function createsNotes(count: number): Check {
  return check(`${count} notes are new`, ({ before, after }) => {
    const made = Object.keys(after).filter((path) => !(path in before));
    return made.length === count ? null : `new: ${made.join(', ') || 'none'}`;
  });
}

function inNote(
  { after }: Outcome,
  path: string,
  problem: (text: string) => string | null,
): string | null {
  const text = after[path];
  return text === undefined ? `${path} does not exist` : problem(text);
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

function sectionOf(text: string, heading: string): string | null {
  const lines = linesOf(text);
  const from = lines.indexOf(heading);
  if (from < 0) return null;
  const level = /^#+/.exec(heading)?.[0].length ?? 0;
  const rest = lines.slice(from + 1);
  const to = rest.findIndex((line) => new RegExp(`^#{1,${level}} `).test(line));
  return rest.slice(0, to < 0 ? undefined : to).join('\n');
}

function propertiesOf(text: string): Record<string, unknown> {
  const frontMatter = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1];
  return frontMatter === undefined ? {} : ((parse(frontMatter) as Record<string, unknown>) ?? {});
}

function patternOf(wanted: Wanted): RegExp {
  return typeof wanted === 'string'
    ? new RegExp(wanted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    : wanted;
}
