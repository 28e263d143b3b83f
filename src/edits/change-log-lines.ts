/**
 * Checks of the lines in change log files and their indexes. A line that was damaged, or written by
 * another device on purpose, may be valid JSON of the wrong types; it is left out, so that all other
 * changes can still be undone.
 */
import type { LinkingNote } from '#model/change';
import { isRecord } from '#text/untrusted-text';

type Fields = Readonly<Record<string, unknown>>;
type Test = (value: unknown) => boolean;

const text: Test = (value) => typeof value === 'string';
const number: Test = (value) => Number.isFinite(value);
const textOrNull: Test = (value) => value === null || text(value);
const optional =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value);
const listOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(test);
const fields =
  (tests: Readonly<Record<string, Test>>): Test =>
  (value) =>
    isRecord(value) && Object.entries(tests).every(([name, test]) => test(value[name]));

const texts = listOf(text);

const contents = fields({
  files: listOf(fields({ path: text, size: number, kept: textOrNull, text: optional(text) })),
  folders: texts,
});

const linkingNote = fields({
  ...{ path: text, before: text, after: optional(text) },
  isUntouched: optional((value) => value === true),
});

const decision = fields({ proposal: text, choice: text, after: optional(text) });

const act: Test = (value) =>
  fields({ kind: (kind) => kind === 'decide', decisions: listOf(decision) })(value) ||
  fields({ kind: (kind) => kind === 'undo', changes: texts })(value) ||
  fields({ kind: (kind) => kind === 'choose', proposal: text })(value);

/** The fields of each kind of change, besides those of all. */
const EFFECTS: Readonly<Record<string, Test>> = {
  create: fields({ after: text, proposes: optional(texts), made: optional(texts) }),
  write: fields({ before: text, after: text, proposes: optional(texts) }),
  hold: fields({ before: textOrNull, after: text }),
  delete: fields({ before: textOrNull, holds: optional(contents), emptied: optional(texts) }),
  move: fields({
    to: text,
    linking: optional(listOf(linkingNote)),
    made: optional(texts),
    emptied: optional(texts),
  }),
  folder: fields({ made: optional(texts) }),
  restore: fields({ holds: contents, trash: textOrNull }),
  nothing: () => true,
};

const common = fields({
  ...{ id: text, time: number, path: text, origin: isRecord, act: optional(act) },
});

const change: Test = (value) => {
  if (!isRecord(value) || !common(value)) return false;
  const { kind } = value;
  return typeof kind === 'string' && Object.hasOwn(EFFECTS, kind) && EFFECTS[kind]!(value);
};

const fate = fields({ change: text, fate: text, place: optional(text) });
const rename = fields({ from: text, to: text, time: number });

export function isLinkingNote(value: unknown): value is LinkingNote {
  return linkingNote(value);
}

export function isChangeLogLine(line: unknown): boolean {
  if (!isRecord(line)) return false;
  switch (line['type']) {
    case 'change':
      return change(line['change']);
    case 'fate':
      return fate(line);
    case 'rename':
      return rename(line);
    default:
      return line['type'] === 'ledger-start';
  }
}

const listed = fields({
  ...{ id: text, kind: text, path: text, to: textOrNull, time: number, origin: isRecord },
  ...{ act: textOrNull, choice: textOrNull, about: texts, proposes: texts },
  ...{ added: number, removed: number, size: number },
});

const place = fields({ file: number, start: number, end: number });

export function isIndexLine(line: unknown): boolean {
  if (!isRecord(line) || !place(line)) return false;
  return line['type'] === 'change'
    ? listed(line['change'])
    : line['type'] === 'file' || isOther(line);
}

function isOther(line: Fields): boolean {
  return (line['type'] === 'fate' && fate(line)) || (line['type'] === 'rename' && rename(line));
}
