/** Bounds what YAML from a vault may cost, and what its values may be. */
import { MAX_YAML_CHARS } from './yaml-scalars';

/** Anchors, aliases and tags, for which parsers search all that came before. */
const MARKS = /(?:^|[\s,[\]{}:?-])[&*!][^\s&*!]/g;
const MAX_MARKS = 100;

/** Whether a parser that builds values may take noticeable time for this YAML. */
export function isCostlyYaml(text: string): boolean {
  return text.length > MAX_YAML_CHARS || (text.match(MARKS)?.length ?? 0) > MAX_MARKS;
}

/** Nested more deeply, values are left out. */
const MAX_DEPTH = 50;

/** A value in which nothing contains itself, as it may with anchors of YAML: null stands for that. */
export function asTree(value: unknown, around: readonly unknown[] = []): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (around.length === MAX_DEPTH || around.includes(value)) return null;
  const within = [...around, value];
  if (Array.isArray(value)) return value.map((each) => asTree(each, within));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, asTree(each, within)]),
  );
}
