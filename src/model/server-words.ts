/** The names that tools of servers have among all tools. */
import type { ToolServer } from './tool-server';

/** Of what the names of its tools begin with; the rest is for a tool's own. */
const LONGEST_WORDS = 24;

/**
 * What the names of each server's tools begin with, by its id: its own name as names of tools are written, with the end of
 * its id where another would have the same. That holds whichever of them is up, and after a restart.
 */
export function serverWords(
  servers: readonly Pick<ToolServer, 'id' | 'name'>[],
): ReadonlyMap<string, string> {
  const plain = servers.map(
    ({ name }) => nameWords(name).toLowerCase().slice(0, LONGEST_WORDS) || 'server',
  );
  return new Map(
    servers.map(({ id }, at) => {
      const words = plain[at]!;
      const isAlone = plain.indexOf(words) === plain.lastIndexOf(words);
      return [id, isAlone ? words : `${words}_${nameWords(id).slice(-4)}`];
    }),
  );
}

/** As names of tools may be written. */
export function nameWords(name: string): string {
  return name
    .slice(0, 200)
    .replace(/[^a-zA-Z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '');
}
