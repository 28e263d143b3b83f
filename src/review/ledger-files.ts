/** The names of the ledger's files. Each has one writer, whose id it bears. */
import type { ChangeId, DeviceId } from '#model/ids';

/** Of the device's n-th file. */
export function ledgerFile(device: DeviceId, number: number): string {
  return `${device}.${String(number).padStart(6, '0')}.jsonl`;
}

export function indexFile(device: DeviceId): string {
  return `${device}.index.jsonl`;
}

/** Its first line is written before a person's act begins, and it is removed when the act is over. */
export function actFile(device: DeviceId): string {
  return `${device}.act.json`;
}

/** The number of a file of this device's ledger; null for every other name. */
export function numberOf(name: string, device: DeviceId): number | null {
  if (!name.startsWith(`${device}.`) || !name.endsWith('.jsonl')) return null;
  const number = Number(name.slice(device.length + 1, -'.jsonl'.length));
  return Number.isInteger(number) && number > 0 ? number : null;
}

/** Whose file of the ledger this is; null for what is none. */
export function deviceOf(name: string): DeviceId | null {
  const found = /^(.+)\.\d{6,}\.jsonl$/.exec(name);
  return found ? (found[1] as DeviceId) : null;
}

/** Where the bytes of what this device's deletions take lie, below the ledger's folder. */
export function keptFolder(device: DeviceId): string {
  return `kept/${device}`;
}

export function keptFile(device: DeviceId, change: ChangeId, count: number): string {
  return `${keptFolder(device)}/${change}.${count}`;
}

/** @param name without its folder */
export function changeOfKept(name: string): ChangeId {
  return name.slice(0, name.lastIndexOf('.')) as ChangeId;
}
