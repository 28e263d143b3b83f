import type { IncomingMessage, ServerResponse } from 'node:http';

const MAX_BYTES = 512 * 1024 * 1024;

export async function bodyOf(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    size += (chunk as Buffer).length;
    if (size > MAX_BYTES) throw new Error('That is more than the workbench takes at once.');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

export function sendValue(res: ServerResponse, value: unknown): void {
  res.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  res.end(JSON.stringify({ value: value ?? null }));
}

export function sendBytes(res: ServerResponse, bytes: ArrayBuffer, about?: object): void {
  res.writeHead(200, {
    'content-type': 'application/octet-stream',
    'cache-control': 'no-store',
    ...(about && { 'x-about': encodeURIComponent(JSON.stringify(about)) }),
  });
  res.end(Buffer.from(bytes));
}

/** With status 200, because browsers log failed requests as errors of the page. */
export function sendProblem(res: ServerResponse, error: unknown): void {
  const { message, code } = error as NodeJS.ErrnoException;
  res.writeHead(200, { 'content-type': 'application/json', 'x-problem': 'yes' });
  res.end(JSON.stringify({ problem: { message, ...(typeof code === 'string' && { code }) } }));
}

export function refuse(res: ServerResponse, status: number, words: string): void {
  res.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  res.end(words);
}
