/**
 * Finds out who has named a URL, and how many pages of its site were read. Only URLs that the user
 * or a search result has named are fetched without asking.
 */
import { allCalls, type ResolvedInteraction, type ToolCall, type Turn } from '#model/conversation';
import type { AddressQuestion } from './decide';

/**
 * Facts about a page that a call is about to read. The fragment after `#` is ignored, because it is
 * not sent.
 *
 * @param call the id of the call; pages of later calls do not count
 * @param own the turns with only the events that this device signed; only these give addresses
 */
export function addressFacts(
  url: string,
  turns: readonly Turn[],
  call: string,
  own: readonly Turn[],
): Pick<AddressQuestion, 'givenBy' | 'pagesOfSite'> {
  const wanted = plainAddress(url);
  if (wanted === null) return { givenBy: null, pagesOfSite: 0 };
  const byUser = new Set(own.flatMap(givenByUser));
  if (byUser.has(wanted)) return { givenBy: 'user', pagesOfSite: 0 };
  const isFound = own.some((turn) => foundIn(turn).includes(wanted));
  const calls = turns.flatMap(allCalls);
  const at = calls.findIndex(({ id }) => id === call);
  const site = siteOf(wanted);
  const read = calls.slice(0, at < 0 ? calls.length : at).flatMap((each) => {
    const page = pageOf(each);
    return page !== null && !byUser.has(page) && siteOf(page) === site ? [page] : [];
  });
  return { givenBy: isFound ? 'search' : null, pagesOfSite: read.length };
}

/** The page that a call has read or is reading; null if it was not allowed to. */
function pageOf({ part, ...call }: ToolCall): string | null {
  const { url } = part.input;
  if (part.name !== 'read_webpage' || typeof url !== 'string') return null;
  const kind = call.state === 'finished' ? call.result.details?.kind : null;
  return kind === 'declined' || kind === 'refused' ? null : plainAddress(url);
}

/**
 * The part of the host name that one owner registers: two labels, or three where a country registers
 * under its own words, such as co.uk.
 */
function siteOf(address: string): string {
  const { hostname } = new URL(address);
  if (hostname.startsWith('[') || /^[\d.]+$/.test(hostname)) return hostname;
  const labels = hostname.replace(/\.$/, '').split('.');
  return labels.slice(COUNTRY_SUFFIX.test(labels.slice(-2).join('.')) ? -3 : -2).join('.');
}

const COUNTRY_SUFFIX = /^(?:ac|co|com|edu|go|gob|gov|ne|net|nom|or|org)\.[a-z]{2}$/;

function givenByUser(turn: Turn): string[] {
  const { source, linked = [] } = turn.request;
  const text = linked.reduce((left, part) => left.replaceAll(part, ' '), turn.request.text);
  // A request through MCP is not the user's own text.
  const later = [...turn.answers, ...turn.steering].map((message) => message.text);
  const texts = [source === 'mcp' ? '' : text, ...later];
  for (const call of allCalls(turn)) {
    if ('resolved' in call && call.resolved) texts.push(...ownWords(call.resolved));
  }
  return texts.flatMap(addressesIn).flatMap((each) => plainAddress(each) ?? []);
}

function foundIn(turn: Turn): string[] {
  return allCalls(turn).flatMap((call) => {
    const details = call.state === 'finished' ? call.result.details : undefined;
    if (call.part.name !== 'web_search' || details?.kind !== 'sources') return [];
    return details.sources.flatMap(({ url }) => plainAddress(url) ?? []);
  });
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
