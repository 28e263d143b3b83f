/** Edits properties in a note's text. Everything else keeps its bytes and order. */
import type { MakeChange } from '#policy/vault-api';
import {
  findFrontMatter,
  hasOpenFrontMatter,
  readYamlProperties,
  splitNote,
} from '#text/front-matter';
import type { LineRange } from '#text/change-check';
import { lineTexts, linesOf } from '#text/list-diff';
import { withPropertyValue } from '#text/yaml-splice';
import { isCostlyYaml } from '#text/yaml-values';
import type { FailureReason } from '#model/message';
import type { Properties } from '#ports/metadata';
import { isNote } from '#text/paths';
import { counted } from '#messages/plural';
import type { NoteOutcome } from '../bulk';
import {
  alreadyText,
  changed,
  changeNote,
  problem,
  changeStatusText,
  textAfter,
  unchanged,
  type ChangeVerb,
  type ToolContext,
  type ToolProblem,
} from '../tool';

export interface PropertyChange {
  readonly name: string;
  /** The value in the text; undefined if it has no such property. */
  readonly from: unknown;
  /** Undefined to remove the property. */
  readonly to: unknown;
  /** Its new name; omitted to keep the one it has. */
  readonly as?: string;
}

type PrintProperty = (name: string, value: unknown) => string;

/**
 * Returns the text with all changes applied; new properties are added below the others. Null if the
 * lines of a property are not understood.
 *
 * @param yaml prints a property with its name and a final line break
 */
export function withProperties(
  text: string,
  changes: readonly PropertyChange[],
  yaml: PrintProperty,
): string | null {
  const found = findFrontMatter(text);
  const ending = /\r?\n/.exec(text)?.[0] ?? '\n';
  const fresh = ({ name, to }: PropertyChange) =>
    to === undefined ? '' : yaml(name, to).replace(/\r?\n/g, ending);
  if (!found) {
    const lines = changes.map(fresh).join('');
    const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
    const fence = `---${ending}`;
    return lines === '' ? text : mark + fence + lines + fence + text.slice(mark.length);
  }
  const { yamlStart, yamlEnd } = found;
  const { above, properties } = readYamlProperties(text.slice(yamlStart, yamlEnd));
  const left = new Set(changes);
  const inside = [...above];
  for (const { name, value, lines } of properties) {
    const source = lines.join('');
    const change = changes.find((each) => each.name === name);
    if (!change) {
      inside.push(source);
      continue;
    }
    left.delete(change);
    const valueStart = (lines[0] ?? '').replace(/\r?\n$/, '').length - value.length;
    const changed =
      change.as !== undefined && change.to === change.from
        ? source
        : withPropertyValue(source, valueStart, [change.from, change.to], yaml);
    if (changed === null) return null;
    inside.push(change.as === undefined ? changed : renamed(changed, valueStart, change.as, yaml));
  }
  return (
    text.slice(0, yamlStart) + [...inside, ...[...left].map(fresh)].join('') + text.slice(yamlEnd)
  );
}

/** The lines of a property under another name. */
function renamed(source: string, valueStart: number, name: string, yaml: PrintProperty): string {
  const gap = /\s*:\s*$/.exec(source.slice(0, valueStart))?.[0] ?? ': ';
  const key = yaml(name, 1).replace(/\s*:\s*1\s*$/, '');
  return key + gap + source.slice(valueStart);
}

/**
 * Why the front matter of this text was not read, as the rest of a sentence about it; null if it
 * has no properties.
 */
export function unreadBecause(text: string): string | null {
  if (hasOpenFrontMatter(lineTexts(text))) return 'begins in line 1 and is never closed';
  const yaml = splitNote(text).yaml ?? '';
  if (isCostlyYaml(yaml)) return 'is too long or too intricate to be read';
  return readYamlProperties(yaml).properties.length > 0 ? 'is not valid YAML' : null;
}

export interface PropertyPlan {
  /** New values by name; undefined removes a property. */
  readonly values: ReadonlyMap<string, unknown>;
  /** New names of properties that keep their place. */
  readonly names?: ReadonlyMap<string, string>;
  /** A change of the text below the properties, which makes it wait for review like any edit. */
  readonly body?: { readonly text: string; readonly lines: readonly number[] };
  readonly verb: ChangeVerb;
  /** What was changed, in lines for the model that continue the verb. */
  readonly what: string;
  /** The same in a few words, for a list of many notes. */
  readonly words: string;
}

/**
 * Changes properties without a proposal, in every mode except Read only, because the change is
 * small and can be undone with a click.
 *
 * @param plan returns the changes, a sentence for the model if there is nothing to change, or why
 * they can't be made
 */
export async function changeProperties(
  raw: string,
  context: ToolContext,
  plan: (now: Properties, path: string, text: string) => PropertyPlan | ToolProblem | string,
): Promise<NoteOutcome> {
  const { vault } = context;
  const found = await vault.find(raw, 'file');
  if (!found.ok) return refused(found);
  const { entry, preface } = found.value;
  const { path } = entry;
  if (!isNote(path)) {
    return refused(
      `${preface}${path} is not a note, so it has no properties. Expected a .md file.`,
      'invalid-input',
    );
  }
  return vault.alone([path], (change) => changeThese(path, preface, context, plan, change));
}

async function changeThese(
  path: string,
  preface: string,
  context: ToolContext,
  plan: (now: Properties, path: string, text: string) => PropertyPlan | ToolProblem | string,
  change: MakeChange,
): Promise<NoteOutcome> {
  const { vault } = context;
  const read = await vault.read(path);
  if (!read.ok) return refused(read);
  const before = read.value.text;
  const known = vault.frontMatter(before);
  const unread = known === null ? unreadBecause(before) : null;
  if (unread !== null) {
    return refused(`${preface}The front matter of ${path} ${unread}. ${BY_HAND}`, 'other');
  }
  const now = known ?? {};
  const planned = plan(now, path, before);
  if (typeof planned === 'string') {
    const isIn = (text: string) =>
      typeof plan(vault.frontMatter(text) ?? {}, path, text) === 'string';
    return { result: unchanged(alreadyText(preface + planned, read.value, isIn)), words: '' };
  }
  if ('reason' in planned) return refused(planned);
  const { values, names = new Map<string, string>(), body } = planned;
  const changes: PropertyChange[] = [...values].map(([name, to]) => ({
    ...{ name, to },
    from: now[name],
  }));
  for (const [name, as] of names) changes.push({ name, from: now[name], to: now[name], as });
  const own = withProperties(before, changes, (name, value) => vault.yaml({ [name]: value }));
  const after = own && (body ? splitNote(own).head + body.text : own);
  if (after === null || !readsAs(vault.frontMatter(after), now, planned)) {
    return refused(
      `${preface}The front matter of ${path} is written in an unusual way. ${BY_HAND}`,
      'other',
    );
  }
  const top = body ? linesOf(splitNote(after).head).length : 0;
  const isShown = context.notes.of(path).latest() !== null;
  const done = await change(
    { kind: 'write', path, before, after, ...(body ? {} : { atOnce: true }) },
    body?.lines.map((line): LineRange => [top + line, top + line + 1]),
  );
  if (!done.ok) return refused(done);
  const made = textAfter(done.value);
  context.notes.wrote(path, before, after, made);
  const { status } = done.value;
  const isWaiting = status === 'proposed' || status === 'joined';
  const by = isShown && !isWaiting ? lineTexts(made).length - lineTexts(before).length : 0;
  const text = changeStatusText(done.value, planned.verb, planned.what + movedBelow(by));
  return {
    result: changed(preface + text, changeNote(done.value)),
    words: planned.words + (by === 0 ? '' : `; text below ${by > 0 ? '+' : '−'}${Math.abs(by)}`),
    made: done.value,
  };
}

function refused(reason: string | ToolProblem, kind?: FailureReason): NoteOutcome {
  return { result: problem(reason, kind), words: '' };
}

/** Tells the model by how many lines the text below moved; empty if it did not. */
function movedBelow(by: number): string {
  if (by === 0) return '';
  const lines = counted(Math.abs(by), 'line');
  return `\nThe text below moved ${by > 0 ? 'down' : 'up'} by ${lines}; line numbers shown to you before still mean the same lines.`;
}

const BY_HAND = 'Nothing was changed; read it with read_file and use edit_file.';

/** Whether the new front matter has the planned values and no other differences. */
function readsAs(
  after: Properties | null,
  before: Properties,
  { values, names }: PropertyPlan,
): boolean {
  const wanted = new Map<string, unknown>(
    Object.entries(before).map(([name, value]) => [names?.get(name) ?? name, value]),
  );
  for (const [name, value] of values) wanted.set(name, value);
  for (const [name, value] of wanted) if (value === undefined) wanted.delete(name);
  const sorted = (entries: Iterable<[string, unknown]>) =>
    JSON.stringify([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(Object.entries(after ?? {})) === sorted(wanted);
}

/**
 * The name as the note spells it, ignoring case; `name` itself if the note has no such property.
 */
export function nameIn(now: Properties, name: string): string {
  if (Object.hasOwn(now, name)) return name;
  const lower = name.toLowerCase();
  return Object.keys(now).find((each) => each.toLowerCase() === lower) ?? name;
}
