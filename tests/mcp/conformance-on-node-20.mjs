/**
 * Lets the official suite run on Node 20: it imports `fs.globSync` from Node 22, which its server
 * checks never call.
 */
import { register } from 'node:module';

const hook = `
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith('/@modelcontextprotocol/conformance/dist/index.js')) return loaded;
  const source = String(loaded.source);
  const name = /globSync as (\\w+)/.exec(source)?.[1];
  if (!name) return loaded;
  const without = source.replace('globSync as ' + name + ',', '');
  return { ...loaded, source: without + '\\nfunction ' + name + '() { return []; }' };
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
