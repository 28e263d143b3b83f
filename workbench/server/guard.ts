/** Who may ask this server for more than the page: the page itself, and nobody else's page. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface Guard {
  /** Part of the address that is printed; the page's cookie holds it from then on. */
  readonly token: string;
  /** What the page is given when it is opened with the right address. */
  cookie(port: number): string;
  /** Whether the request names this server, by whatever name; another one means a foreign name points here. */
  isForUs(req: IncomingMessage): boolean;
  /** Whether the address that opened the page holds the token. */
  knows(token: string | null): boolean;
  /** Whether the page may have what it asks for. */
  admits(req: IncomingMessage): boolean;
}

export function createGuard(): Guard {
  const token = randomBytes(24).toString('base64url');
  const knows = (given: string | null): boolean => {
    const [one, other] = [Buffer.from(given ?? ''), Buffer.from(token)];
    return one.length === other.length && timingSafeEqual(one, other);
  };
  return {
    token,
    knows,
    // Browsers do not part cookies by port, and two workbenches may run side by side.
    cookie: (port) => `${cookieName(port)}=${token}; HttpOnly; SameSite=Strict; Path=/`,
    isForUs: (req) => ownHosts(req).includes(req.headers.host ?? ''),
    admits(req) {
      const { origin } = req.headers;
      // Browsers leave the origin out of a page's own GETs; whatever they name must be the page.
      if (origin !== undefined && !ownHosts(req).some((host) => origin === `http://${host}`)) {
        return false;
      }
      return knows(cookieOf(req, cookieName(req.socket.localPort ?? 0)));
    },
  };
}

function ownHosts({ socket }: IncomingMessage): string[] {
  return ['127.0.0.1', 'localhost'].map((name) => `${name}:${socket.localPort ?? 0}`);
}

const cookieName = (port: number) => `workbench-${port}`;

function cookieOf(req: IncomingMessage, name: string): string | null {
  for (const each of (req.headers.cookie ?? '').split(';')) {
    const [key, value] = each.trim().split('=');
    if (key === name) return value ?? null;
  }
  return null;
}
