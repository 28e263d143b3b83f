/**
 * The fields of a task, in the two formats that the Tasks plugin reads: signs such as 📅, and
 * Dataview's inline fields.
 */
import { taskBox } from './block-marks';
import { isDay } from './days';
import { inlineCode } from './note-structure';
import { statusOf, type TaskMarks, type TaskStatus } from './task-marks';

/** In the order in which the Tasks plugin writes them. */
const FIELD_NAMES = [
  ...(['id', 'dependsOn', 'priority', 'recurrence', 'onCompletion'] as const),
  ...(['created', 'start', 'scheduled', 'due', 'canceled', 'done'] as const),
] as const;

export type TaskFieldName = (typeof FIELD_NAMES)[number];
export type TaskDateName = 'created' | 'start' | 'scheduled' | 'due' | 'canceled' | 'done';
export type TaskFormat = 'emoji' | 'dataview';

export const PRIORITIES = ['highest', 'high', 'medium', 'low', 'lowest'] as const;
export type TaskPriority = (typeof PRIORITIES)[number];

const PRIORITY_SIGNS: Readonly<Record<TaskPriority, string>> = {
  ...{ highest: '🔺', high: '⏫', medium: '🔼', low: '🔽', lowest: '⏬' },
};

interface Notation {
  /** Signs that are read; the first is written. Those of a priority are its value. */
  readonly signs: readonly string[];
  /** Name of the inline field. */
  readonly key: string;
  /** Source of a pattern for the value behind a sign. */
  readonly value: string;
}

const DATE = String.raw`\d{4}-\d{2}-\d{2}`;
const ID = String.raw`[\w-]+`;

const NOTATIONS: Readonly<Record<TaskFieldName, Notation>> = {
  id: { signs: ['🆔'], key: 'id', value: ID },
  dependsOn: { signs: ['⛔'], key: 'dependsOn', value: String.raw`${ID}(?:\s*,\s*${ID})*` },
  priority: { signs: Object.values(PRIORITY_SIGNS), key: 'priority', value: '' },
  recurrence: { signs: ['🔁'], key: 'repeat', value: String.raw`[a-z\d!](?:[a-z\d, !]*[a-z\d!])?` },
  onCompletion: { signs: ['🏁'], key: 'onCompletion', value: '[a-z]+' },
  created: { signs: ['➕'], key: 'created', value: DATE },
  start: { signs: ['🛫'], key: 'start', value: DATE },
  scheduled: { signs: ['⏳', '⌛'], key: 'scheduled', value: DATE },
  due: { signs: ['📅', '📆', '🗓'], key: 'due', value: DATE },
  canceled: { signs: ['❌'], key: 'cancelled', value: DATE },
  done: { signs: ['✅'], key: 'completion', value: DATE },
};

const NAME_OF_SIGN = new Map(
  FIELD_NAMES.flatMap((name) => NOTATIONS[name].signs.map((sign) => [sign, name] as const)),
);
const NAME_OF_KEY = new Map(
  FIELD_NAMES.map((name) => [NOTATIONS[name].key.toLowerCase(), name] as const),
);

/** A longer value is none, so that brackets that are never closed take linear time. */
const MAX_INLINE_CHARS = 300;

/** All that may stand behind the words of a task. A sign without a value is a field without one. */
const ITEM = new RegExp(
  [
    ...FIELD_NAMES.map((name) => {
      const { signs, value } = NOTATIONS[name];
      const valueOf = value === '' ? '' : String.raw`(?:\s*(?<v_${name}>${value}))?`;
      return String.raw`(?:${signs.join('|')})\uFE0F?${valueOf}`;
    }),
    String.raw`[[(][ \t]*(?<key>[\p{L}\p{N}_-]+)::(?<inline>[^\])]{0,${MAX_INLINE_CHARS}})[\])](?:[ ]*,)?`,
    String.raw`(?<!\S)#[^\s#]+`,
  ].join('|'),
  'giu',
);

export interface TaskField {
  readonly name: TaskFieldName;
  readonly format: TaskFormat;
  /** As written; empty if it has none, or none that can be read. A priority is one of its names. */
  readonly value: string;
  /** Offsets of the whole field. */
  readonly from: number;
  readonly to: number;
  /** Offsets of the value alone. */
  readonly valueFrom: number;
  readonly valueTo: number;
}

/** A line with the box of a task. Offsets are within the line. */
export interface TaskLine {
  readonly text: string;
  /** `none` if the user's settings say that its mark makes no task. */
  readonly status: TaskStatus | 'none';
  /** Offset of the character in the box. */
  readonly boxAt: number;
  /** Where the words begin, behind the box. */
  readonly wordsFrom: number;
  /** In the order of the line, wherever they are, as Dataview reads them; not in code. */
  readonly fields: readonly TaskField[];
  /**
   * Where the fields at the end begin, from which alone the Tasks plugin reads; there may be tags
   * between these. `endsAt` if there are none.
   */
  readonly fieldsFrom: number;
  /** The end of words and fields, before a block id and the blanks at the end. */
  readonly endsAt: number;
}

/** Null if the line has no box. Does not tell whether the line is code. */
export function readTaskLine(text: string, marks?: TaskMarks): TaskLine | null {
  const box = taskBox(text);
  if (box === null) return null;
  const boxAt = boxOffset(text, box);
  const wordsFrom =
    boxAt + box.length + 1 + /^[ \t]*/.exec(text.slice(boxAt + box.length + 1))![0].length;
  const end = text.trimEnd().length;
  const id = /(?:^|\s)\^[\w-]+$/.exec(text.slice(wordsFrom, end));
  const endsAt = id ? text.slice(0, wordsFrom + id.index).trimEnd().length : end;
  const code = inlineCode(text);
  let next = 0;
  const items = [...text.matchAll(ITEM)].filter(({ index }) => {
    while ((code[next]?.to ?? Infinity) <= index) next += 1;
    return index >= wordsFrom && index < (code[next]?.from ?? Infinity);
  });
  const fields = items.flatMap((item) => fieldOf(item) ?? []);
  return {
    ...{
      text,
      status: statusOf(box, marks),
      boxAt,
      wordsFrom,
      fields,
      endsAt: Math.max(endsAt, wordsFrom),
    },
    fieldsFrom: fieldsFrom(text, items, Math.max(endsAt, wordsFrom)),
  };
}

function boxOffset(text: string, box: string): number {
  // Only marks of blocks are before the box, none of which has brackets like it.
  return text.indexOf(`[${box}]`) + 1;
}

function fieldOf(item: RegExpMatchArray): TaskField | null {
  const { 0: whole, index: from = 0, groups = {} } = item;
  const to = from + whole.length;
  const { key, inline = '' } = groups;
  if (key !== undefined) {
    const name = NAME_OF_KEY.get(key.toLowerCase());
    if (name === undefined) return null;
    const blanks = blanksAt(inline, 0);
    const written = inline.slice(blanks).trimEnd();
    const valueFrom = from + whole.indexOf('::') + 2 + blanks;
    const value = readable(name, written);
    const valueTo = valueFrom + (value === '' ? written : value).length;
    return { ...{ name, format: 'dataview', from, to, valueFrom, valueTo }, value };
  }
  const sign = String.fromCodePoint(whole.codePointAt(0)!);
  const name = NAME_OF_SIGN.get(sign);
  if (name === undefined) return null;
  if (name === 'priority') {
    const value = PRIORITIES.find((each) => PRIORITY_SIGNS[each] === sign) ?? '';
    return { ...{ name, format: 'emoji', from, to, valueFrom: from, valueTo: to }, value };
  }
  const value = groups[`v_${name}`] ?? '';
  return {
    ...{ name, format: 'emoji', from, to, valueFrom: to - value.length, valueTo: to },
    value,
  };
}

function blanksAt(text: string, at: number): number {
  return /^[ \t]*/.exec(text.slice(at))![0].length;
}

/** The part of an inline field's value that the Tasks plugin can read. */
function readable(name: TaskFieldName, value: string): string {
  if (name === 'priority') return PRIORITIES.find((each) => each === value.toLowerCase()) ?? '';
  return new RegExp(`^${NOTATIONS[name].value}`, 'iu').exec(value)?.[0] ?? '';
}

function fieldsFrom(text: string, items: readonly RegExpMatchArray[], endsAt: number): number {
  let [from, begin] = [endsAt, endsAt];
  for (const { 0: whole, index = 0 } of items.toReversed()) {
    if (text.slice(index + whole.length, begin).trim() !== '') break;
    begin = text.slice(0, index).trimEnd().length;
    if (!whole.startsWith('#')) from = begin;
  }
  return from;
}

/**
 * The field with this name: of several, the first of those at the end of the line, as for the Tasks
 * plugin.
 */
export function fieldNamed(task: TaskLine, name: TaskFieldName): TaskField | null {
  const all = task.fields.filter((field) => field.name === name);
  return all.find(({ from }) => from >= task.fieldsFrom) ?? all[0] ?? null;
}

/** A date as it is written; null if there is none, or none that the calendar has. */
export function dateOf(task: TaskLine, name: TaskDateName): string | null {
  const value = fieldNamed(task, name)?.value ?? '';
  return isDay(value) ? value : null;
}

export function priorityOf(task: TaskLine): TaskPriority | null {
  const value = fieldNamed(task, 'priority')?.value;
  return PRIORITIES.find((each) => each === value) ?? null;
}

/** The words of a task without its fields and block id, as it is written. */
export function taskWords({ text, wordsFrom, endsAt, fields }: TaskLine): string {
  let words = '';
  let at = wordsFrom;
  for (const { from, to } of fields) {
    words += text.slice(at, from).trimEnd();
    at = to;
  }
  return (words + text.slice(at, endsAt)).trim();
}

/**
 * The line with the value of a field: in its place, or where the Tasks plugin would put it. All
 * else stays as it is.
 *
 * @param value null for none; then the field is removed
 * @param format of a new field in a line without fields
 */
export function withField(
  line: string,
  name: TaskFieldName,
  value: string | null,
  format: TaskFormat,
): string {
  const task = readTaskLine(line);
  if (!task) return line;
  const field = fieldNamed(task, name);
  if (value === null)
    return field ? withField(withoutField(task, field), name, null, format) : line;
  if (!field) return withNewField(task, name, value, format);
  const isSign = name === 'priority' && field.format === 'emoji';
  const written = isSign ? PRIORITY_SIGNS[value as TaskPriority] : value;
  return line.slice(0, field.valueFrom) + written + line.slice(field.valueTo);
}

function withoutField({ text, wordsFrom }: TaskLine, { from, to }: TaskField): string {
  const before = text.slice(0, from);
  if (before.trimEnd().length > wordsFrom) return before.trimEnd() + text.slice(to);
  return before + text.slice(to).trimStart();
}

function withNewField(
  task: TaskLine,
  name: TaskFieldName,
  value: string,
  format: TaskFormat,
): string {
  const { text, fields, endsAt } = task;
  const order = FIELD_NAMES.indexOf(name);
  const atEnd = fields.filter(({ from }) => from >= task.fieldsFrom);
  const later = atEnd.find((field) => FIELD_NAMES.indexOf(field.name) > order);
  const earlier = atEnd.findLast((field) => FIELD_NAMES.indexOf(field.name) < order);
  const at = earlier ? earlier.to : later ? text.slice(0, later.from).trimEnd().length : endsAt;
  // A line keeps to its own format.
  const own = fields[0]?.format ?? format;
  const written = writtenField(name, value, own);
  const isFirst = text.slice(task.wordsFrom, at).trim() === '';
  if (isFirst) {
    const rest = text.slice(task.wordsFrom);
    return `${text.slice(0, task.wordsFrom)}${written}${rest === '' ? '' : ` ${rest}`}`;
  }
  // With one blank, Dataview's fields hide each other in the editor.
  const gap = own === 'dataview' ? '  ' : ' ';
  return text.slice(0, at) + gap + written + text.slice(at);
}

function writtenField(name: TaskFieldName, value: string, format: TaskFormat): string {
  const { signs, key } = NOTATIONS[name];
  if (format === 'dataview') return `[${key}:: ${value}]`;
  return name === 'priority' ? PRIORITY_SIGNS[value as TaskPriority] : `${signs[0]} ${value}`;
}
