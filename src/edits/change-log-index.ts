/**
 * The index of the change log: its lines without the texts, in one file per device, so that the
 * change log itself need not be read at start. Each line says which bytes of a change log file it
 * covers, so gaps are found and the index can be rebuilt at any time.
 */
import {
  type Change,
  type ChangeFate,
  type ChangeDecision,
  lineCounts,
  type LineCounts,
  type Origin,
  type UserDecision,
} from '#model/change';
import type { ChangeId, DeviceId, ProposalId } from '#model/ids';
import type { ChangeNote } from '#model/message';
import { byteLinesIn, jsonLine, parseJson } from '#ports/line-file';
import { type SliceClock, Slices } from '#ports/slices';
import type { Storage } from '#ports/storage';
import {
  deviceOf,
  changeIndexFile,
  changeLogFile,
  type ChangeLogLine,
  fileNumber,
  parseLine,
} from './change-log-files';
import { isIndexLine } from './change-log-lines';
import { changeShown } from './proposals';

const INDEX_VERSION = 2;

/** Number of lines to keep about removed files, to show which changes cannot be undone. */
const MAX_GONE = 10_000;

export type IndexBody =
  | { readonly type: 'change'; readonly change: ListedChange }
  | {
      readonly type: 'fate';
      readonly change: ChangeId;
      readonly fate: ChangeFate;
      readonly place?: string;
    }
  | { readonly type: 'rename'; readonly from: string; readonly to: string; readonly time: number }
  | { readonly type: 'file' };

/** Covers the bytes of a change log file from `start` up to but not including `end`. */
export type ChangeIndexLine = IndexBody & {
  readonly file: number;
  readonly start: number;
  readonly end: number;
};

export interface IndexOptions {
  readonly store: Storage;
  readonly folder: string;
  readonly device: DeviceId;
  readonly clock: SliceClock;
}

/** The index of one device's change log, in the order it was written. */
export interface DeviceIndex {
  readonly device: DeviceId;
  readonly lines: readonly ChangeIndexLine[];
  /** Numbers of the existing files. */
  readonly files: ReadonlySet<number>;
}

/** Returns the index entry for a line of the change log; null for lines that are not indexed. */
export function indexBody(line: ChangeLogLine, size: number): IndexBody | null {
  switch (line.type) {
    case 'change':
      return { type: 'change', change: listedChange(line.change, size) };
    case 'fate':
    case 'rename':
      return line;
    case 'ledger-start':
      return null;
  }
}

export function indexStart(device: DeviceId): string {
  return `\n${jsonLine({ type: 'index-start', version: INDEX_VERSION, device })}`;
}

/**
 * Reads the indexes of all devices, and repairs this device's on disk if it was damaged or behind.
 */
export async function readIndexes(options: IndexOptions): Promise<DeviceIndex[]> {
  const { store, folder, device } = options;
  const sizes = await store.sizes(folder);
  const devices = new Set<DeviceId>([device]);
  for (const name of sizes.keys()) {
    const owner = deviceOf(name);
    if (owner) devices.add(owner);
  }
  const indexes: DeviceIndex[] = [];
  for (const each of devices) indexes.push(await readIndex(each, sizes, options));
  return indexes;
}

async function readIndex(
  device: DeviceId,
  sizes: ReadonlyMap<string, number>,
  options: IndexOptions,
): Promise<DeviceIndex> {
  const { store, folder } = options;
  const slices = new Slices(options.clock);
  const path = `${folder}/${changeIndexFile(device)}`;
  const saved = sizes.has(changeIndexFile(device)) ? await store.readBytes(path) : null;
  const byFile = await readSaved(saved, slices);
  const files = new Set<number>();
  let isBehind = false;
  for (const [name, size] of sizes) {
    const file = fileNumber(name, device);
    if (file === null) continue;
    files.add(file);
    if (covers(byFile.get(file) ?? [], size)) continue;
    const bytes = await store.readBytes(`${folder}/${changeLogFile(device, file)}`);
    byFile.set(file, await linesOfFile(bytes, file, slices));
    isBehind = true;
  }
  const order = [...byFile.keys()].sort((a, b) => a - b);
  const lines = order.flatMap((file) => byFile.get(file) ?? []);
  const gone = lines.filter(({ file }) => !files.has(file)).length;
  const kept = gone > 2 * MAX_GONE ? lines.slice(gone - MAX_GONE) : lines;
  if (device === options.device && (isBehind || kept.length < lines.length) && lines.length > 0) {
    // If writing fails, the index is repaired the next time.
    await writeIndex(path, kept, options, slices).catch(() => undefined);
  }
  return { device, lines: kept, files };
}

async function writeIndex(
  path: string,
  lines: readonly ChangeIndexLine[],
  { store, device }: IndexOptions,
  slices: Slices,
): Promise<void> {
  const texts = [indexStart(device)];
  for (const line of lines) {
    if (slices.isDue) await slices.pause();
    texts.push(jsonLine(line));
  }
  await store.write(path, texts.join(''));
}

/**
 * Whether the lines cover the whole file. A crash between writing the change log and its index
 * leaves a gap.
 */
function covers(lines: readonly ChangeIndexLine[], size: number): boolean {
  let end = 0;
  for (const line of lines) {
    if (line.start !== end) return false;
    end = line.end;
  }
  return end === size;
}

async function readSaved(
  bytes: ArrayBuffer | null,
  slices: Slices,
): Promise<Map<number, ChangeIndexLine[]>> {
  const byFile = new Map<number, ChangeIndexLine[]>();
  let isOurs = false;
  for (const { text } of byteLinesIn(bytes)) {
    if (slices.isDue) await slices.pause();
    const parsed = parseSaved(text);
    if (parsed?.type === 'index-start') isOurs = parsed.version === INDEX_VERSION;
    else if (parsed && isOurs) {
      const known = byFile.get(parsed.file);
      if (known) known.push(parsed);
      else byFile.set(parsed.file, [parsed]);
    }
  }
  return byFile;
}

function parseSaved(
  line: string,
): ChangeIndexLine | { type: 'index-start'; version: number } | null {
  const parsed = parseJson(line) as
    ChangeIndexLine | { type: 'index-start'; version: number } | null | undefined;
  if (parsed?.type === 'index-start') return parsed;
  return parsed && isIndexLine(parsed) ? parsed : null;
}

async function linesOfFile(
  bytes: ArrayBuffer | null,
  file: number,
  slices: Slices,
): Promise<ChangeIndexLine[]> {
  const lines: ChangeIndexLine[] = [];
  const whole = bytes?.byteLength ?? 0;
  for (const { text, size, end } of byteLinesIn(bytes)) {
    if (slices.isDue) await slices.pause();
    const parsed = parseLine(text);
    const body = parsed && indexBody(parsed, size);
    if (body) lines.push({ ...body, file, start: lines.at(-1)?.end ?? 0, end });
  }
  lines.push({ type: 'file', file, start: lines.at(-1)?.end ?? 0, end: whole });
  return lines;
}

export interface ListedChange {
  readonly id: ChangeId;
  readonly kind: Change['kind'];
  readonly path: string;
  /** Target path of a move. */
  readonly to: string | null;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly origin: Origin;
  readonly act: UserDecision['kind'] | null;
  /** The user's decision if it was the same for all proposals; otherwise null. */
  readonly choice: ChangeDecision['choice'] | null;
  /** The changes that a user action undoes, or the proposals that it decides. */
  readonly about: readonly (ChangeId | ProposalId)[];
  readonly proposes: readonly ProposalId[];
  readonly added: number;
  readonly removed: number;
  /** Bytes of its line in the change log. */
  readonly size: number;
}

/** A listed change with its place in the change log and its outcome. */
export interface FiledChange extends ListedChange {
  readonly device: DeviceId;
  /** Number of the change log file; null if it was removed, and the texts with it. */
  readonly file: number | null;
  readonly fate: ChangeFate | null;
  /** Path of a deleted file in the vault's trash. */
  readonly place: string | null;
}

export function listedChange(change: Change, size: number): ListedChange {
  const { id, kind, path, time, origin, act } = change;
  return {
    id,
    kind,
    path,
    time,
    origin,
    size,
    to: change.kind === 'move' ? change.to : null,
    act: act?.kind ?? null,
    choice: act?.kind === 'decide' ? onlyChoice(act.decisions) : null,
    about: aboutOf(act),
    proposes: change.kind === 'create' || change.kind === 'write' ? (change.proposes ?? []) : [],
    ...countsOf(change),
  };
}

function aboutOf(act: UserDecision | undefined): ListedChange['about'] {
  switch (act?.kind) {
    case 'undo':
      return act.changes;
    case 'decide':
      return act.decisions.map(({ proposal }) => proposal);
    default:
      return [];
  }
}

function onlyChoice([first, ...others]: readonly ChangeDecision[]):
  ChangeDecision['choice'] | null {
  return first && others.every(({ choice }) => choice === first.choice) ? first.choice : null;
}

function countsOf(change: Change): LineCounts {
  if (change.kind !== 'create' && change.kind !== 'write') return lineCounts(change);
  const { path, after } = change;
  const shown = changeShown(path, change.kind === 'write' ? change.before : '', after);
  return lineCounts({ kind: 'write', path, ...shown });
}

/** Whether the change may have touched the vault; true while its outcome is unknown. */
export function hasTakenEffect({ fate }: Pick<FiledChange, 'fate'>): boolean {
  return fate !== 'not-done';
}

/** Whether a call of the agent made the change, which may be an undo; the user made all others. */
export function isByAgent({ origin }: Pick<ListedChange, 'origin'>): boolean {
  return origin.call !== null;
}

/** Whether the agent made the change on this device; calls of MCP clients are not the agent's. */
export function isOwnChange(change: FiledChange, device: DeviceId): boolean {
  const isOwn = change.device === device && change.origin.source !== 'mcp';
  return isOwn && isByAgent(change) && hasTakenEffect(change);
}

/** How the user sees what an undo does. */
const KINDS: Readonly<Record<Change['kind'], ChangeNote['kind']>> = {
  create: 'create',
  write: 'write',
  hold: 'hold',
  delete: 'delete',
  move: 'move',
  folder: 'folder',
  restore: 'create',
  nothing: 'write',
};

/** A recorded change as the UI shows it. */
export function changeNoteOf(change: ListedChange): ChangeNote {
  const { id, kind, path, to, act, proposes, added, removed } = change;
  const pending = kind === 'hold' ? [id] : proposes;
  return {
    ...{ change: id, kind: KINDS[kind], path, added, removed },
    ...(to === null ? {} : { to }),
    ...(pending.length > 0 ? { proposes: pending } : {}),
    ...(act === 'undo' ? { undoes: true } : {}),
  };
}
