/**
 * Restricts the API to the workbench's own page; other sites and programs do not have the token.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface Guard {
  /** Part of the printed URL; the page then keeps it in a cookie. */
  readonly token: string;
  /** Value of the `Set-Cookie` header when the page is opened with the token. */
  cookie(port: number): string;
  /**
   * Whether the Host header names this server. Otherwise a foreign domain points here (DNS
   * rebinding).
   */
  isForUs(req: IncomingMessage): boolean;
  /** Whether this is the token, compared in constant time. */
  knows(token: string | null): boolean;
  /** Whether the request comes from the page and has the token in its cookie. */
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
    // The port is part of the name because cookies are shared by all ports of a host, and two
    // workbenches may run at once.
    cookie: (port) => `${cookieName(port)}=${token}; HttpOnly; SameSite=Strict; Path=/`,
    isForUs: (req) => ownHosts(req).includes(req.headers.host ?? ''),
    admits(req) {
      const { origin } = req.headers;
      // Browsers omit the origin of same-origin GET requests; if there is one, it must be ours.
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
