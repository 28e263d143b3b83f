/** Reports as JSON files with one task per line, so that changes of a baseline can be read. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Report } from './score';

export function writeReport(file: string, { tasks, ...head }: Report): void {
  const lines = tasks.map((result) => JSON.stringify(result, rounded)).join(',\n');
  const start = JSON.stringify(head).slice(0, -1);
  writeFileSync(file, `${start},"tasks":[\n${lines}\n]}\n`);
}

export function readReport(file: string): Report {
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  if ((report.version as number) !== 1) throw new Error(`${file} is no report of this version.`);
  return report;
}

function rounded(_name: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toFixed(6)) : value;
}
