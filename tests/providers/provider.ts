/** Test helpers that connect the provider to the fake API over real HTTP. */
import { afterEach } from 'vitest';
import { DEFAULT_SETTINGS, type Settings } from '#model/settings';
import { desktopFetch } from '#obsidian/platform/node-fetch';
import type { HistoryMessage, ReadViewable, ModelEvent, ModelRequest } from '#ports/model-provider';
import { AnthropicProvider } from '#providers/anthropic/anthropic-provider';
import { settle, testClock, type TestClock } from '../builders/fake-clock';
import { NODE } from '#tests/builders/node-modules';
import {
  startModelServer,
  type Answer,
  type ModelServer,
  type ModelServerOptions,
  type Respond,
} from '#workbench/model/server';

export interface ServedModel {
  readonly server: ModelServer;
  readonly provider: AnthropicProvider;
  readonly clock: TestClock;
}

export interface ServeOptions {
  readonly settings?: Partial<Settings>;
  readonly key?: string | null;
  readonly server?: Partial<ModelServerOptions>;
  readonly fetch?: typeof fetch;
  readonly lookAt?: ReadViewable;
  readonly clock?: TestClock;
  readonly isOffline?: boolean;
}

/** The browser's fetch always fails, so that only Node's can succeed. */
export const noWindow: typeof fetch = async () => {
  throw new TypeError('Failed to fetch');
};

/** Starts servers that are closed after each test. */
export function servers() {
  const open: { close(): Promise<unknown> }[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.close()));
  });
  return async (answer: Respond | Answer, options: ServeOptions = {}): Promise<ServedModel> => {
    const respond: Respond = typeof answer === 'function' ? answer : () => answer;
    const server = await startModelServer({ respond, wait: async () => {}, ...options.server });
    open.push(server);
    const clock = options.clock ?? testClock();
    return { server, clock, provider: providerFor(server.url, { ...options, clock }) };
  };
}

export function providerFor(
  endpoint: string,
  options: Omit<ServeOptions, 'server'> = {},
): AnthropicProvider {
  const { key = 'sk-test-1', clock = testClock() } = options;
  return new AnthropicProvider({
    settings: () => ({ ...DEFAULT_SETTINGS, endpoint, ...options.settings }),
    key: () => key,
    fetch: options.fetch ?? desktopFetch(NODE, noWindow).fetch,
    lookAt: options.lookAt ?? (async () => null),
    clock,
    isOffline: () => options.isOffline ?? false,
  });
}

export const HELLO: readonly HistoryMessage[] = [{ role: 'user', texts: ['Hello.'] }];

const TOOLS = ['read_file', 'edit_file', 'list_files'].map((name) => ({
  name,
  description: `Does ${name}.`,
  input: { type: 'object', properties: { path: { type: 'string' } } },
}));

export function request(change: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'claude-sonnet-5-5',
    prompt: { system: 'You are a test.', tools: TOOLS },
    history: HELLO,
    ...change,
  };
}

export async function collect(
  events: AsyncIterable<ModelEvent>,
  onEvent: (event: ModelEvent) => void = () => {},
): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of events) {
    all.push(event);
    onEvent(event);
  }
  return all;
}

export function ask(
  { provider }: Pick<ServedModel, 'provider'>,
  change: Partial<ModelRequest> = {},
  signal = new AbortController().signal,
): Promise<ModelEvent[]> {
  return collect(provider.stream(request(change), signal));
}

export function partsOf(events: readonly ModelEvent[]) {
  return events.flatMap((event) => (event.type === 'part' ? [event.part] : []));
}

/** Waits for real sockets until the condition holds; if it never does, the test times out. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await settle();
}
