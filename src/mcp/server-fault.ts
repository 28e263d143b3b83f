/** What keeps a listed server from being used as it is written. */
import type { ToolServer } from '#model/tool-server';

/** What is to be mended before it can be used, in a sentence for the person; null where nothing is. */
export function serverFault(server: ToolServer): string | null {
  if (server.kind === 'stdio') {
    return server.command.trim() === '' ? 'It has no command yet.' : null;
  }
  const { url, secret } = server;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    return 'Its address has to be one such as https://example.com/mcp.';
  }
  return secret === '' || isPrivateWay(new URL(url))
    ? null
    : 'A token is sent by https only, or to this computer.';
}

function isPrivateWay({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
