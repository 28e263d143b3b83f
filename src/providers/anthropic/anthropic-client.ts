/** The SDK's client with the two resources that Parley uses, set up for the user's endpoint. */
import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { Messages } from '@anthropic-ai/sdk/resources/messages/messages';
import { Models } from '@anthropic-ai/sdk/resources/models';
import { readErrorText } from './anthropic-errors';

export interface ConnectionOptions {
  /** Without `/v1`. */
  readonly endpoint: string;
  /** For servers that know only the API's first version. */
  readonly compatibility: boolean;
  /** Null when none is set, which only compatible servers accept. */
  readonly key: string | null;
  readonly fetch: typeof fetch;
}

/** The longest delay that `setTimeout` accepts. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

const SENT_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'anthropic-dangerous-direct-browser-access',
  'anthropic-version',
  'authorization',
  'content-type',
  'user-agent',
  'x-api-key',
]);

export class AnthropicClient extends BaseAnthropic {
  readonly messages = new Messages(this);
  readonly models = new Models(this);

  constructor({ endpoint, compatibility, key, fetch }: ConnectionOptions) {
    const apiKey = key?.trim() ?? 'none';
    super({
      baseURL: endpoint,
      apiKey,
      webhookKey: null,
      fetch: withBoundedErrors(fetch),
      maxRetries: 0,
      // The stall watch decides when a server is too slow.
      timeout: MAX_TIMEOUT_MS,
      // The SDK logs lines that it cannot parse, and these may hold the text of a note.
      logLevel: 'off',
      openTelemetry: false,
      // Parley runs in Electron's renderer; the key is the user's own and goes to the endpoint they chose.
      dangerouslyAllowBrowser: true,
      // `authorization` is repeated here because ANTHROPIC_CUSTOM_HEADERS would otherwise override it.
      defaultHeaders: {
        'user-agent': 'Parley',
        authorization: `Bearer ${apiKey}`,
        'x-api-key': compatibility ? apiKey : null,
        ...(compatibility ? { 'anthropic-version': '2023-06-01' } : {}),
      },
    });
  }

  /** Drops what the SDK adds: headers of ANTHROPIC_CUSTOM_HEADERS, and the user's platform. */
  protected override async prepareRequest(request: RequestInit): Promise<void> {
    const headers = [...new Headers(request.headers)];
    request.headers = new Headers(headers.filter(([name]) => SENT_HEADERS.has(name)));
  }
}

/**
 * Whether an HTTP header can carry the key. A line break, or the ellipsis of a shortened key,
 * cannot be sent.
 */
export function isUsableKey(key: string | null): boolean {
  return key === null || /^[!-~]+$/.test(key.trim());
}

/** The SDK reads the body of an error response to its end, which may never come. */
function withBoundedErrors(fetchResponse: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await fetchResponse(input, init);
    if (response.ok) return response;
    const { status, statusText, headers } = response;
    const text = await readErrorText(response);
    return new Response(text === '' ? null : text, { status, statusText, headers });
  };
}
