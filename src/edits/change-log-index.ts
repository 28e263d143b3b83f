/**
 * The ledger without its texts: a file a device, a line for each line of the ledger, so that nobody has to read the
 * ledger to know what is in it. It can always be made again; each line says how far it covers the ledger's files.
 */
import {
  type Change,
  type ChangeFate,
  type ChangeDecision,
  lineCounts,
  type LineCounts,
  type Origin,
} from '#model/change';
import type { ChangeId, DeviceId, ProposalId } from '#model/ids';
import type { Clock } from '#ports/clock';
import type { Storage } from '#ports/storage';
import {
  deviceOf,
  indexFile,
  changeLogFile,
  type ChangeLogLine,
  numberOf,
  parseLine,
} from './change-log-files';
import { changeShown } from './proposals';

const INDEX_VERSION = 2;

/** So many lines of files that are gone are kept, to tell what can't be undone any more. */
const MAX_GONE = 10_000;

/** Characters that are written at once. */
const CHUNK_CHARS = 500_000;

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

/** Covers the file's bytes from `start` on, without `end`. */
export type ChangeIndexLine = IndexBody & {
  readonly file: number;
  readonly start: number;
  readonly end: number;
};

export interface IndexOptions {
  readonly store: Storage;
  readonly folder: string;
  readonly device: DeviceId;
  readonly clock: Pick<Clock, 'now' | 'pause'>;
}

/** All that is known of one device's ledger, in the order in which it was written. */
export interface DeviceIndex {
  readonly device: DeviceId;
  readonly lines: readonly ChangeIndexLine[];
  /** The numbers of the files that are there. */
  readonly files: ReadonlySet<number>;
}

/** What a line of the ledger is in the index; null for one that is not listed. */
export function indexBody(line: ChangeLogLine, size: number): IndexBody | null {
  switch (line.type) {
    case 'change':
      return { type: 'change', change: listed(line.change, size) };
    case 'fate':
    case 'rename':
      return line;
    case 'ledger-start':
      return null;
  }
}

export function indexText(line: ChangeIndexLine): string {
  return `${JSON.stringify(line)}\n`;
}

export function indexStart(device: DeviceId): string {
  return `\n${JSON.stringify({ type: 'index-start', version: INDEX_VERSION, device })}\n`;
}

/** Of every device whose ledger is here. This device's index is mended on disk where it was damaged or behind. */
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
  const slices = timeSlices(options.clock);
  const path = `${folder}/${indexFile(device)}`;
  const saved = sizes.has(indexFile(device)) ? await store.readBytes(path) : null;
  const byFile = await readSaved(saved, slices);
  const files = new Set<number>();
  let isBehind = false;
  for (const [name, size] of sizes) {
    const file = numberOf(name, device);
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
    // What can't be written now is made again the next time.
    await writeIndex(path, kept, options, slices).catch(() => undefined);
  }
  return { device, lines: kept, files };
}

/** Piece by piece; where it ends too early, what is missing is found to be so when it is read. */
async function writeIndex(
  path: string,
  lines: readonly ChangeIndexLine[],
  { store, device }: IndexOptions,
  slices: TimeSlices,
): Promise<void> {
  let text = indexStart(device);
  let isBegun = false;
  const put = async () => {
    await (isBegun ? store.append(path, text, { flush: false }) : store.write(path, text));
    isBegun = true;
    text = '';
  };
  for (const line of lines) {
    await slices();
    text += indexText(line);
    if (text.length > CHUNK_CHARS) await put();
  }
  await put();
}

/** A line that did not reach the index, since everything stopped in that moment, leaves a gap. */
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
  slices: TimeSlices,
): Promise<Map<number, ChangeIndexLine[]>> {
  const byFile = new Map<number, ChangeIndexLine[]>();
  let isOurs = false;
  for (const { text } of linesIn(bytes)) {
    await slices();
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
  try {
    const parsed = JSON.parse(line) as
      ChangeIndexLine | { type: 'index-start'; version: number } | null;
    if (parsed?.type === 'index-start') return parsed;
    return parsed && Number.isInteger(parsed.file) ? parsed : null;
  } catch {
    return null;
  }
}

async function linesOfFile(
  bytes: ArrayBuffer | null,
  file: number,
  slices: TimeSlices,
): Promise<ChangeIndexLine[]> {
  const lines: ChangeIndexLine[] = [];
  const whole = bytes?.byteLength ?? 0;
  for (const { text, size, end } of linesIn(bytes)) {
    await slices();
    const parsed = parseLine(text);
    const body = parsed && indexBody(parsed, size);
    if (body) lines.push({ ...body, file, start: lines.at(-1)?.end ?? 0, end });
  }
  lines.push({ type: 'file', file, start: lines.at(-1)?.end ?? 0, end: whole });
  return lines;
}

interface Line {
  readonly text: string;
  /** Bytes, with the one that ends it. */
  readonly size: number;
  /** Where in the file the next one begins. */
  readonly end: number;
}

const NEW_LINE = 10;

/** One after the other, since to decode and split many megabytes at once would hold the thread. */
function* linesIn(buffer: ArrayBuffer | null): Generator<Line> {
  if (!buffer) return;
  const bytes = new Uint8Array(buffer);
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.length;) {
    const found = bytes.indexOf(NEW_LINE, at);
    const until = found < 0 ? bytes.length : found;
    const text = decoder.decode(bytes.subarray(at, until));
    const end = Math.min(until + 1, bytes.length);
    yield { text, size: until + 1 - at, end };
    at = end;
  }
}

export interface ListedChange {
  readonly id: ChangeId;
  readonly kind: Change['kind'];
  readonly path: string;
  /** Where a move leads. */
  readonly to: string | null;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly origin: Origin;
  readonly act: 'decide' | 'undo' | null;
  /** How all that was decided was decided; null where that differs, and for every other change. */
  readonly choice: ChangeDecision['choice'] | null;
  /** What the act is about: changes taken back, or proposals decided. */
  readonly about: readonly (ChangeId | ProposalId)[];
  readonly proposes: readonly ProposalId[];
  readonly added: number;
  readonly removed: number;
  /** Bytes of its line in the ledger. */
  readonly size: number;
}

/** The same with where it lies and what became of it. */
export interface FiledChange extends ListedChange {
  readonly device: DeviceId;
  /** The number of its file; null where that is gone, and with it the texts. */
  readonly file: number | null;
  readonly fate: ChangeFate | null;
  /** Where in the vault's own trash a deletion lies. */
  readonly place: string | null;
}

export function listed(change: Change, size: number): ListedChange {
  const { id, kind, path, time, origin, act } = change;
  return {
    ...{ id, kind, path, time, origin, size },
    to: change.kind === 'move' ? change.to : null,
    act: act?.kind ?? null,
    choice: act?.kind === 'decide' ? onlyChoice(act.decisions) : null,
    about: !act
      ? []
      : act.kind === 'undo'
        ? act.changes
        : act.decisions.map((each) => each.proposal),
    proposes: change.kind === 'create' || change.kind === 'write' ? (change.proposes ?? []) : [],
    ...countsOf(change),
  };
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

/** Whether it may have touched the vault, as far as is known. */
export function tookEffect({ fate }: Pick<FiledChange, 'fate'>): boolean {
  return fate !== 'not-done';
}

/** Milliseconds of work before others get their turn. */
const SLICE_MS = 3;

/** Asked between two pieces of a long work; waits where it is others' turn. */
export type TimeSlices = () => Promise<void> | undefined;

export function timeSlices({ now, pause }: Pick<Clock, 'now' | 'pause'>): TimeSlices {
  let until = now() + SLICE_MS;
  return () => {
    if (now() < until) return undefined;
    return pause().then(() => {
      until = now() + SLICE_MS;
    });
  };
}
