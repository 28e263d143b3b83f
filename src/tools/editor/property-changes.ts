/** One change of a note's properties, as a value that can be checked before anything is written. */
import type { CallResult } from '#model/message';
import type { Properties } from '#ports/metadata';
import {
  changed,
  changeNote,
  linesOf,
  problem,
  standingWords,
  textMade,
  type ToolContext,
  text,
} from '../tool';
import { propertyNames, withProperties } from './front-matter-text';

export interface Plan {
  /** New values by name; undefined for a property that goes. */
  readonly values: ReadonlyMap<string, unknown>;
  /** What was done, for the model, once it is; lines. */
  readonly told: string;
}

/**
 * Changes properties at once, in whatever mode but Read only: they are small, shown, and undone by a click.
 *
 * @param plan what is to be changed in these; a sentence where nothing is
 */
export async function changeProperties(
  raw: string,
  context: ToolContext,
  plan: (now: Properties, path: string) => Plan | string,
): Promise<CallResult> {
  const { vault } = context;
  const found = await vault.find(raw, 'file');
  if (!found.ok) return problem(found);
  const { entry, preface } = found.value;
  const { path } = entry;
  if (!path.toLowerCase().endsWith('.md')) {
    return problem(
      `${preface}${path} is not a note, so it has no properties. Expected a .md file.`,
      'not-text',
    );
  }
  const read = await vault.read(path);
  if (!read.ok) return problem(read);
  const before = read.value.text;
  const known = vault.frontMatter(before);
  const isOpen = /^\uFEFF?---[ \t]*\r?\n/.test(before);
  if (known === null && isOpen && propertyNames(before).length > 0) {
    return problem(
      `${preface}The front matter of ${path} is not valid YAML. ${BY_HAND}`,
      'not-text',
    );
  }
  const now = known ?? {};
  const planned = plan(now, path);
  if (typeof planned === 'string') return text(preface + planned);
  const changes = [...planned.values].map(([name, value]) => ({
    name,
    yaml: value === undefined ? null : vault.yaml({ [name]: value }),
  }));
  const after = withProperties(before, changes);
  if (!readsAs(vault.frontMatter(after), now, planned.values)) {
    return problem(
      `${preface}The front matter of ${path} is written in an unusual way. ${BY_HAND}`,
      'not-text',
    );
  }
  const done = await vault.change({ kind: 'write', path, before, after, atOnce: true });
  if (!done.ok) return problem(done);
  const made = textMade(done.value, after);
  context.notes.wrote(path, before, after, made);
  const words = standingWords(done.value, planned.told.trim() + movedBelow(before, made));
  return changed(preface + words, changeNote(done.value));
}

/** Tells that the text below moved; '' if it did not. */
function movedBelow(before: string, after: string): string {
  const by = linesOf(after).length - linesOf(before).length;
  if (by === 0) return '';
  const lines = Math.abs(by) === 1 ? '1 line' : `${Math.abs(by)} lines`;
  return ` The text below moved ${by > 0 ? 'down' : 'up'} by ${lines}; line numbers that you were shown still name the same lines.`;
}

const BY_HAND = 'Nothing was changed; read it with read_file and use edit_file.';

/** That the new text says what was meant, and nothing else. */
function readsAs(
  after: Properties | null,
  before: Properties,
  values: ReadonlyMap<string, unknown>,
): boolean {
  const wanted = new Map([...Object.entries(before), ...values]);
  for (const [name, value] of wanted) if (value === undefined) wanted.delete(name);
  const sorted = (entries: Iterable<[string, unknown]>) =>
    JSON.stringify([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(Object.entries(after ?? {})) === sorted(wanted);
}

/** The name under which the note has it already, whatever its case. */
export function nameIn(now: Properties, name: string): string {
  if (Object.hasOwn(now, name)) return name;
  const lower = name.toLowerCase();
  return Object.keys(now).find((each) => each.toLowerCase() === lower) ?? name;
}
