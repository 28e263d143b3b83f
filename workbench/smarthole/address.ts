/**
 * Parses the URL of a SmartHole from a command-line option. SmartHole only listens on this
 * computer.
 */
export const NO_SMARTHOLE = 'is no address of a SmartHole, such as ws://127.0.0.1:9473.';

export function portOf(url: string): number | 'wrong' {
  if (!URL.canParse(url)) return 'wrong';
  const { protocol, hostname, port } = new URL(url);
  const isHere = hostname === '127.0.0.1' || hostname === 'localhost';
  return /^wss?:$/.test(protocol) && isHere && port !== '' ? Number(port) : 'wrong';
}
