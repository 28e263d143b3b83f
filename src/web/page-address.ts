/** What may be asked for as a page, before anybody is asked what its host stands for. */
import { isPublicAddress } from './address-guard';

export type PageAddress =
  { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly problem: string };

const LONGEST = 2_000;

/** @param base where a redirect came from */
export function pageAddress(raw: string, base?: URL): PageAddress {
  if (raw.length > LONGEST) return refused(raw, `is longer than ${LONGEST} characters`);
  // A browser's reading of odd spellings: what looks like a number becomes an address.
  if (!URL.canParse(raw.trim(), base?.href)) return refused(raw, 'is not a URL');
  const url = new URL(raw.trim(), base);
  if (!/^https?:$/.test(url.protocol)) return refused(raw, 'is neither http nor https');
  if (url.username !== '' || url.password !== '') {
    return refused(raw, 'names a user or a password');
  }
  const port = Number(url.port || '443');
  if (port < 1_024 && port !== 80 && port !== 443) {
    return refused(raw, `asks for port ${port}, where no pages are`);
  }
  return isOwn(url.hostname) ? refused(raw, OWN) : { ok: true, url };
}

/** Said of every such address alike, so that nothing can be learned of what is there. */
export const OWN = 'leads to this computer or its own network, which is not read from';

export function refused(raw: string, because: string): { ok: false; problem: string } {
  const shown = raw.length > 200 ? `${raw.slice(0, 200)}…` : raw;
  return {
    ok: false,
    problem: `\`${shown}\` ${because}. Expected a page of the public web, such as https://example.com/page.`,
  };
}

/** Names that no public server has (RFC 6761, RFC 6762, RFC 8375, and what routers and companies use). */
const OWN_NAMES =
  /^[^.]+$|(?:^|\.)(?:localhost|local|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid|onion)$/;

function isOwn(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.+$/, '');
  const isAddress = name.startsWith('[') || /^[\d.]+$/.test(name);
  return isAddress ? !isPublicAddress(name) : OWN_NAMES.test(name);
}
