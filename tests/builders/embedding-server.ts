/**
 * A fake embedding server over a real socket. Words with the same meaning get vectors in the same
 * direction.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeEmbeddingServer extends AsyncDisposable {
  readonly url: string;
  /** The texts of each request. */
  readonly asked: string[][];
  /** Responses that replace the next ones, in order. */
  next: { status: number; body: string }[];
  /** Number of dimensions of each vector. */
  dimensions: number;
  /** Called before a request is answered. */
  onRequest: (place: number) => void | Promise<void>;
  /** Answers in Ollama's own format instead of OpenAI's. */
  own: boolean;
}

const PATHS = ['/v1/embeddings', '/api/embed'];

const MEANINGS = [
  ['cat', 'kitten', 'feline', 'purring'],
  ['money', 'budget', 'invoice', 'cost'],
  ['garden', 'seeds', 'compost', 'flowers'],
  ['京都', '苔寺', 'temple'],
];

export async function embeddingServer(): Promise<FakeEmbeddingServer> {
  const server = http.createServer((request, response) => {
    void (async () => {
      // Browsers send a CORS preflight before a cross-origin request.
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('access-control-allow-headers', '*');
      if (request.method === 'OPTIONS') return response.end();
      const { pathname } = new URL(request.url ?? '', 'http://localhost');
      if (!PATHS.includes(pathname)) return response.writeHead(404).end();
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const { model, input } = JSON.parse(body) as { model: string; input: string[] };
      fake.asked.push(input);
      await fake.onRequest(fake.asked.length);
      const other = fake.next.shift();
      const status = other?.status ?? (model === 'small' ? 200 : 404);
      const vectors = input.map((text) => vectorOf(text, fake.dimensions));
      const answer = fake.own
        ? { embeddings: vectors }
        : { data: vectors.map((embedding, index) => ({ index, embedding })).reverse() };
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(other?.body ?? (status === 200 ? JSON.stringify(answer) : 'model not found'));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: FakeEmbeddingServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ asked: [], next: [], dimensions: 8, onRequest: () => undefined, own: false },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

function vectorOf(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  vector[dimensions - 1] = 0.1 + (text.length % 7) / 100;
  for (const [place, words] of MEANINGS.entries()) {
    for (const word of words) vector[place]! += text.toLowerCase().split(word).length - 1;
  }
  return vector;
}
