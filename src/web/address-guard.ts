/**
 * Tells addresses on the public internet from those of this computer or its network. The ranges are
 * from IANA's special-purpose address registries (RFC 6890); an address that is not known to be
 * public is refused.
 */
import * as t from '#messages/web-messages';
import { BlockList, isIP } from 'node:net';
import { clip } from '#text/shorten';

/** Network addresses with their prefix lengths. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by a provider's customers
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, including the metadata service of cloud machines
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/3', // multicast, reserved and broadcast
];

/** Exceptions within the global unicast range. */
const SPECIAL_IPV6 = [
  '2001::/23', // protocol assignments, including Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which contains an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
];

const GLOBAL_UNICAST = '2000::/3';

/**
 * The /96 prefixes of IPv6 addresses that contain an IPv4 address: mapped, or translated by NAT64.
 */
const IPV4_HOLDERS = ['::ffff:', '64:ff9b::'];

interface AddressLists {
  readonly publicIpv6: BlockList;
  readonly special: BlockList;
}

let addressLists: AddressLists | null = null;

/** Created on first use, because browser pages evaluate this file too and have no `node:net`. */
function lists(): AddressLists {
  return (addressLists ??= {
    publicIpv6: listOf([GLOBAL_UNICAST, ...IPV4_HOLDERS.map((prefix) => `${prefix}0:0/96`)]),
    special: listOf([...SPECIAL_IPV6, ...alsoInIpv6(SPECIAL_IPV4)]),
  });
}

/** Whether an address from DNS or a URL is public; false for text that is not an address. */
export function isPublicAddress(address: string): boolean {
  const bare = withoutBrackets(address);
  const family = familyOf(bare);
  if (family === null || lists().special.check(bare, family)) return false;
  return family === 'ipv4' || lists().publicIpv6.check(bare, family);
}

/**
 * Whether an address is in one of these networks.
 * @param networks addresses with a prefix length, such as `192.168.1.7/24`
 */
export function isWithinNetworks(address: string, networks: readonly string[]): boolean {
  const bare = withoutBrackets(address);
  const family = familyOf(bare);
  return family !== null && listOf(alsoInIpv6(networks)).check(bare, family);
}

function withoutBrackets(address: string): string {
  return address.replace(/^\[|\]$/g, '');
}

/**
 * Returns null for text that is not an address, and for an address with a zone, which names an
 * interface of this computer.
 */
function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  if (address.includes('%')) return null;
  const version = isIP(address);
  return version === 0 ? null : `ipv${version as 4 | 6}`;
}

/** Adds the IPv6 networks that contain these IPv4 networks. */
function alsoInIpv6(networks: readonly string[]): string[] {
  return networks.flatMap((network) => {
    const [first = '', length] = network.split('/');
    if (familyOf(first) !== 'ipv4') return [network];
    return [network, ...IPV4_HOLDERS.map((prefix) => `${prefix}${first}/${96 + Number(length)}`)];
  });
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [first = '', length] = network.split('/');
    const family = familyOf(first);
    if (family !== null) list.addSubnet(first, Number(length), family);
  }
  return list;
}

export type PageAddress =
  { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly reason: string };

const MAX_URL_CHARS = 2_000;

/**
 * Checks the URL of a page without resolving its host name.
 * @param base the URL that redirected to this one
 */
export function pageAddress(raw: string, base?: URL): PageAddress {
  if (raw.length > MAX_URL_CHARS) return refusedAddress(raw, t.urlTooLong(MAX_URL_CHARS));
  // Parse as a browser does, because odd spellings of numbers become addresses.
  if (!URL.canParse(raw.trim(), base?.href)) return refusedAddress(raw, t.notUrl);
  const url = new URL(raw.trim(), base);
  if (!/^https?:$/.test(url.protocol)) return refusedAddress(raw, t.notHttp);
  if (url.username !== '' || url.password !== '') {
    return refusedAddress(raw, t.namesUser);
  }
  const port = Number(url.port || '443');
  if (port < 1_024 && port !== 80 && port !== 443) {
    return refusedAddress(raw, t.portWithoutPages(port));
  }
  return isOwn(url.hostname) ? refusedAddress(raw, t.privateNetwork) : { ok: true, url };
}

export function refusedAddress(raw: string, because: string): { ok: false; reason: string } {
  return { ok: false, reason: t.addressRefused(clip(raw, 200), because) };
}

/**
 * Names that no public server has: RFC 6761, RFC 6762, RFC 8375, and names that routers and
 * companies use.
 */
const OWN_NAMES =
  /^[^.]+$|(?:^|\.)(?:localhost|local|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid|onion)$/;

function isOwn(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.+$/, '');
  const isAddress = name.startsWith('[') || /^[\d.]+$/.test(name);
  return isAddress ? !isPublicAddress(name) : OWN_NAMES.test(name);
}
