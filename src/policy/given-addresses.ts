/**
 * Finds the URLs that the user or a search result has named. Only these are fetched without asking.
 */
import { allCalls, type ResolvedInteraction, type Turn } from '#model/conversation';

/**
 * Whether exactly this URL was named in these turns. The fragment after `#` is ignored, because it
 * is not sent.
 */
export function isGiven(url: string, turns: readonly Turn[]): boolean {
  const wanted = plainAddress(url);
  return wanted !== null && turns.some((turn) => givenIn(turn).has(wanted));
}

function givenIn(turn: Turn): ReadonlySet<string> {
  const { source, text } = turn.request;
  // A request through MCP is not the user's own text.
  const texts = [source === 'mcp' ? '' : text, ...turn.answers.map((answer) => answer.text)];
  const found: string[] = [];
  for (const { part, ...call } of allCalls(turn)) {
    if ('resolved' in call && call.resolved) texts.push(...ownWords(call.resolved));
    const details = call.state === 'finished' ? call.result.details : undefined;
    if (part.name === 'web_search' && details?.kind === 'sources') {
      found.push(...details.sources.map(({ url }) => url));
    }
  }
  const all = [...texts.flatMap(addressesIn), ...found];
  return new Set(all.flatMap((each) => plainAddress(each) ?? []));
}

/** The user's free-text answer. A chosen answer does not count, because the model wrote it. */
function ownWords({ interaction, resolution }: ResolvedInteraction): string[] {
  if (resolution.kind !== 'answer' || interaction.kind !== 'question') return [];
  const answer = resolution.text.trim();
  return interaction.choices.some((choice) => choice.trim() === answer) ? [] : [answer];
}

/**
 * Normalizes a URL as a browser would request it, without its fragment; null if it is not a web
 * URL.
 */
function plainAddress(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { href, protocol } = new URL(url);
  return /^https?:$/.test(protocol) ? href.replace(/#.*$/s, '') : null;
}

/** Longer URLs are never requested. */
const MAX_ADDRESS_CHARS = 2_000;

/** Maximum number of punctuation characters to remove from the end of a URL. */
const MAX_TRAILING_CHARS = 8;

/** Names with these endings are taken for files, not hosts. */
const FILE = /\.(?:md|zip|mov|app|py|sh|rs|pl|ps|so|cc)$/i;

/**
 * Returns everything in a text that may be meant as a URL, with and without trailing punctuation.
 */
function addressesIn(text: string): string[] {
  return text.split(/[\s<>"`“”„«»|]+/).flatMap((word) => {
    if (word.length > MAX_ADDRESS_CHARS) return [];
    const from = word.search(/https?:\/\//i);
    if (from >= 0) {
      const whole = word.slice(from);
      return [whole, ...whole.split(/(?=https?:\/\/)/i)].flatMap(withoutSigns);
    }
    const bare = word.replace(/^[([{'*_~]+/, '');
    return withoutSigns(bare)
      .filter((each) => /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:[/?#:]|$)/u.test(each))
      .filter((each) => !FILE.test(each))
      .map((each) => `https://${each}`);
  });
}

function withoutSigns(address: string): string[] {
  const all = [address];
  for (let end = address.length - 1; all.length <= MAX_TRAILING_CHARS; end -= 1) {
    if (!/[)\]}'*_~.,;:!?…]/.test(address[end] ?? '')) break;
    all.push(address.slice(0, end));
  }
  return all;
}
