/**
 * Which addresses of the internet are anybody's, and not this computer's or its network's. After IANA's registries of
 * special-purpose addresses (RFC 6890); what is not known to be public is not.
 */

/** First address and length of the prefix. */
type Range = readonly [string, number];

const NOT_PUBLIC_V4: readonly Range[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by a provider's customers
  ['127.0.0.0', 8], // this computer
  ['169.254.0.0', 16], // the same link; the metadata of cloud machines
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 3], // multicast, reserved and broadcast
];

/** Of what is given out to be routed, which is all that begins with 001. */
const NOT_PUBLIC_V6: readonly Range[] = [
  ['2001::', 23], // protocol assignments, Teredo among them
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which holds an address of version 4
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
];

/** How an address of version 4 is written into one of version 6: mapped, and translated by the network. */
const HOLDS_V4: readonly Range[] = [
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
];

/** Whether an address, as DNS or a URL gives it, belongs to the public internet. False for what is no address. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '');
  const four = bitsOfV4(bare);
  if (four !== null) return isPublicV4(four);
  // A zone names an interface of this computer.
  const six = bare.includes('%') ? null : bitsOfV6(bare);
  if (six === null) return false;
  if (isWithin(six, HOLDS_V4, bitsOfV6)) return isPublicV4(six.slice(-32));
  return six.startsWith('001') && !isWithin(six, NOT_PUBLIC_V6, bitsOfV6);
}

/** Whether an address lies in one of these networks, each an address and the length of its prefix. */
export function isWithinNetworks(address: string, networks: readonly string[]): boolean {
  const ranges = networks.map((network): Range => {
    const [first = '', length] = network.split('/');
    return [first, Number(length)];
  });
  const bare = address.replace(/^\[|\]$/g, '');
  const six = bitsOfV6(bare);
  const held = six !== null && isWithin(six, HOLDS_V4, bitsOfV6) ? six.slice(-32) : null;
  const lies = (bits: string | null, bitsOf: typeof bitsOfV6) => {
    const alike = ranges.filter(([first]) => bitsOf(first) !== null);
    return bits !== null && isWithin(bits, alike, bitsOf);
  };
  return lies(bitsOfV4(bare) ?? held, bitsOfV4) || lies(six, bitsOfV6);
}

function isPublicV4(bits: string): boolean {
  return !isWithin(bits, NOT_PUBLIC_V4, bitsOfV4);
}

function isWithin(
  bits: string,
  ranges: readonly Range[],
  bitsOf: (address: string) => string | null,
): boolean {
  return ranges.some(([first, length]) => bits.startsWith((bitsOf(first) ?? '').slice(0, length)));
}

function bitsOfV4(address: string): string | null {
  const parts = address.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && +part < 256)) {
    return null;
  }
  return parts.map((part) => (+part).toString(2).padStart(8, '0')).join('');
}

function bitsOfV6(address: string): string | null {
  const dotted = /^(.*:)([\d.]+)$/.exec(address);
  if (dotted && dotted[2]!.includes('.')) {
    const four = bitsOfV4(dotted[2]!);
    const groups = four && [four.slice(0, 16), four.slice(16)].map((half) => parseInt(half, 2));
    return groups && bitsOfV6(`${dotted[1]!}${groups.map((each) => each.toString(16)).join(':')}`);
  }
  const halves = address.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const [head = [], tail] = halves;
  const given = head.length + (tail?.length ?? 0);
  if (halves.length > 2 || (tail ? given > 7 : given !== 8)) return null;
  const zeros = Array<string>(8 - given).fill('0');
  const groups = [...head, ...zeros, ...(tail ?? [])];
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return null;
  return groups.map((group) => parseInt(group, 16).toString(2).padStart(16, '0')).join('');
}
