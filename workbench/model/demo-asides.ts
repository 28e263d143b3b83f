/**
 * Answers of the demo model to requests of the plugin itself, which have no tools: titles,
 * summaries, descriptions. It only repeats parts of the request.
 */
import { blocksOf, isRecord, userWords, textOf, type ModelRequest } from './wire';

export function asideFor(request: ModelRequest): string {
  const asked = request.messages.map((message) => userWords(message)).join('\n');
  const given = request.messages
    .flatMap(({ content }) => blocksOf(content).map(blockText))
    .join('\n');
  const said = linesOf(given);
  const format = isRecord(request.output_config) ? request.output_config.format : undefined;
  const schema = isRecord(format) && isRecord(format.schema) ? format.schema.properties : undefined;
  if (isRecord(schema)) {
    const title = titleOf(asked, said);
    return JSON.stringify(Object.fromEntries(Object.keys(schema).map((name) => [name, title])));
  }
  if (/\bdescription\b/i.test(asked)) return descriptionOf(given);
  if (/\btitle\b[^.]*\bsummary\b/i.test(asked)) {
    return `${titleOf(asked, said)}\n\n${summaryOf(said.slice(0, 4))}`;
  }
  if (/\bsummary\b/i.test(asked)) return summaryOf(said.slice(-20));
  return titleOf(asked, said) || 'Conversation';
}

function blockText(block: { readonly [field: string]: unknown }): string {
  return textOf([{ type: 'text', ...block }]);
}

/** The quoted messages, without their context. */
function linesOf(given: string): string[] {
  return [...given.matchAll(/^((?:Person|Agent|User|You): (?!<).+)$/gm)].map(([line]) => line);
}

/** The first words of the first message. */
function titleOf(asked: string, [first]: readonly string[]): string {
  const quoted =
    first?.replace(/^\w+: /, '') ??
    /(?:user|person|you|said)\W{1,4}(.+)/i.exec(asked)?.[1] ??
    asked;
  return quoted
    .replace(/[^\p{L}\p{N}'’ -]+/gu, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 6)
    .join(' ');
}

function summaryOf(said: readonly string[]): string {
  return [
    'What was said, repeated by the demo model.',
    ...said.map((line) => line.slice(0, 200)),
  ].join('\n');
}

function descriptionOf(given: string): string {
  const places = [...given.matchAll(/^[-*] (.+)$/gm)].map(([, place]) => place);
  const kept = places.length > 0 ? ` ${places.join('; ')}.` : '';
  return `I manage notes in Obsidian.${kept} The demo model wrote this from a list.`.slice(
    0,
    1_000,
  );
}
