/** Which pages the person, or a search of theirs, has named: these alone are asked for without a question. */
import { allCalls, type Settled, type Turn } from '#model/conversation';

/** Whether exactly this URL was given in these turns; what stands behind its `#` is nobody's business but the reader's. */
export function isGiven(url: string, turns: readonly Turn[]): boolean {
  const wanted = plainAddress(url);
  return wanted !== null && turns.some((turn) => givenIn(turn).has(wanted));
}

function givenIn(turn: Turn): ReadonlySet<string> {
  const said = [turn.inbound.text, ...turn.answers.map(({ text }) => text)];
  const found: string[] = [];
  for (const { part, ...call } of allCalls(turn)) {
    if ('settled' in call && call.settled) said.push(...ownWords(call.settled));
    const details = call.state === 'finished' ? call.result.details : undefined;
    if (part.name === 'web_search' && details?.kind === 'sources') {
      found.push(...details.sources.map(({ url }) => url));
    }
  }
  const all = [...said.flatMap(addressesIn), ...found];
  return new Set(all.flatMap((each) => plainAddress(each) ?? []));
}

/** What was clicked is the model's wording. */
function ownWords({ waiting, resolution }: Settled): string[] {
  if (resolution.kind !== 'answer' || waiting.kind !== 'question') return [];
  return waiting.choices.includes(resolution.text) ? [] : [resolution.text];
}

/** As a browser would ask for it. */
function plainAddress(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { href, protocol } = new URL(url);
  return /^https?:$/.test(protocol) ? href.replace(/#.*$/s, '') : null;
}

/** Whatever in a text may be meant as an address: with and without the signs that a sentence puts behind it. */
function addressesIn(text: string): string[] {
  return text.split(/[\s<>"`“”„«»]+/).flatMap((word) => {
    const from = word.search(/https?:\/\//i);
    const bare = from < 0 ? word.replace(/^[([{'*_~]+/, '') : word.slice(from);
    if (from < 0 && !/^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:[/?#:]|\W*$)/u.test(bare)) return [];
    const address = from < 0 ? `https://${bare}` : bare;
    const trailing = /[)\]}'*_~.,;:!?…]*$/.exec(address)?.[0].length ?? 0;
    return Array.from({ length: trailing + 1 }, (_, cut) => address.slice(0, address.length - cut));
  });
}
