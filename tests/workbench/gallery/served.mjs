/** Builds the gallery and serves it to scripts that take pictures of it. */
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = path.dirname(fileURLToPath(import.meta.url));
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** @returns {Promise<{ url: string, close: () => void }>} */
export async function serveGallery() {
  const made = await build({
    configFile: path.join(here, 'vite.config.ts'),
    logLevel: 'warn',
    build: { write: false },
  });
  const { output } =
    /** @type {{ output: { fileName: string, code?: string, source?: string | Uint8Array }[] }} */ (
      Array.isArray(made) ? made[0] : made
    );
  const files = new Map(
    output.map((each) => [`/${each.fileName}`, each.code ?? each.source ?? '']),
  );
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    const name = pathname === '/' ? '/index.html' : pathname;
    const bytes = files.get(name);
    if (bytes === undefined) {
      response.writeHead(404).end();
      return;
    }
    const ending = /** @type {keyof typeof TYPES} */ (path.extname(name));
    response.writeHead(200, { 'content-type': TYPES[ending] ?? 'text/plain' });
    response.end(bytes);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/`, close: () => void server.close() };
}
