/** Files of the change log: names, format, and the limit on their total size. */
import { isChangeLogLine } from './change-log-lines';
import type { Change, ChangeFate } from '#model/change';
import type { ChangeId, DeviceId } from '#model/ids';
import { parseJson } from '#ports/line-file';

export const CHANGE_LOG_VERSION = 1;

export type ChangeLogLine =
  | {
      readonly type: 'ledger-start';
      readonly version: typeof CHANGE_LOG_VERSION;
      readonly device: DeviceId;
    }
  | { readonly type: 'change'; readonly change: Change }
  | {
      readonly type: 'fate';
      readonly change: ChangeId;
      readonly fate: ChangeFate;
      /** Path of a deleted file in the vault's trash. */
      readonly place?: string;
    }
  /** A move or rename that the agent did not make. */
  | { readonly type: 'rename'; readonly from: string; readonly to: string; readonly time: number };

export interface ChangeLogEntry {
  readonly change: Change;
  /** Null if the app stopped before the outcome was known. */
  readonly fate: ChangeFate | null;
}

export function parseLine(line: string): ChangeLogLine | null {
  const parsed = parseJson(line);
  return isChangeLogLine(parsed) ? (parsed as ChangeLogLine) : null;
}

/** Name of a device's change log file; `number` counts from 1. */
export function changeLogFile(device: DeviceId, number: number): string {
  return `${device}.${String(number).padStart(6, '0')}.jsonl`;
}

export function changeIndexFile(device: DeviceId): string {
  return `${device}.index.jsonl`;
}

/** Exists while a user action is in progress. */
export function actFile(device: DeviceId): string {
  return `${device}.act.json`;
}

/** The number of this device's change log file; null for any other name. */
export function fileNumber(name: string, device: DeviceId): number | null {
  if (!name.startsWith(`${device}.`) || !name.endsWith('.jsonl')) return null;
  const number = Number(name.slice(device.length + 1, -'.jsonl'.length));
  return Number.isInteger(number) && number > 0 ? number : null;
}

/** The device that wrote the change log file; null for any other name. */
export function deviceOf(name: string): DeviceId | null {
  const found = /^(.+)\.\d{6,}\.jsonl$/.exec(name);
  return found ? (found[1] as DeviceId) : null;
}

/** Folder, inside the change log's folder, for the contents of files deleted on this device. */
export function keptFolder(device: DeviceId): string {
  return `kept/${device}`;
}

export function keptFile(device: DeviceId, change: ChangeId, count: number): string {
  return `${keptFolder(device)}/${change}.${count}`;
}

/** @param name without the folder */
export function changeIdOfKept(name: string): ChangeId {
  return name.slice(0, name.lastIndexOf('.')) as ChangeId;
}
