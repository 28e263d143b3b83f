/**
 * Where texts of notes and secrets may be sent: to any server over https, over plain http only to
 * this computer, since anyone on the way could read them.
 */
export function isSecureAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** @param hostname as `URL` normalizes it, so that 127.1 and 0x7f000001 read 127.0.0.1 */
function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
