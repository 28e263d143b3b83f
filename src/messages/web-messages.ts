/** Failures of web pages, web searches and embeddings, for the user and the model. */
import { codeSpan } from '#text/shorten';

export const stopped = 'Stopped.';

/** @param because for example "is not a URL" */
export const addressRefused = (address: string, because: string) =>
  `${codeSpan(address)} ${because}. Expected a page of the public web, such as https://example.com/page.`;
export const urlTooLong = (limit: number) => `is longer than ${limit} characters`;
export const notUrl = 'is not a URL';
export const notHttp = 'is neither http nor https';
export const namesUser = 'names a user or a password';
export const portWithoutPages = (port: number) => `uses port ${port}, where there are no web pages`;
/** The same for all such addresses, so that it reveals nothing about what is there. */
export const privateNetwork =
  'leads to this computer or its own network, which Parley does not open';

export const redirectOf = (url: string) => `The page that ${url} redirects to`;
/** @param why for example "answers 404: there is no such page." */
export const pageProblem = (page: string, why: string) => `${page} ${why}`;
export const redirectRefused = (page: string) =>
  `${page} redirects to an address that Parley does not open.`;
export const tooManyHops = (url: string, limit: number) =>
  `${url} redirects more than ${limit} times.`;
export const pageUnreadable = (page: string, why: string) => `${page} can't be read (${why}).`;
export const noWholeAnswer = (seconds: number) => `no whole answer in ${seconds} s`;
export const pageStatus = (status: number) => `answers ${status}${STATUS_TEXT[status] ?? ''}.`;
const STATUS_TEXT: Readonly<Record<number, string>> = {
  401: ': it wants a login',
  402: ': it wants money',
  403: ': it does not let programs read it',
  404: ': there is no such page',
  410: ': the page is gone',
  429: ': too many requests',
};
/** @param type for example "image/png" */
export const noPage = (type = 'something else') =>
  `is no page but ${type}. Pages, plain text and data as text can be read.`;
export const answerBroken = 'its answer is broken';
export const certificateUntrusted =
  'its certificate is not trusted; pages can’t be read through a proxy';
export const HOST_ERRORS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of its host can’t be looked up; the computer may be offline',
  ECONNREFUSED: 'its host refuses the connection',
  ECONNRESET: 'its host closed the connection',
  EPROTO: 'its host speaks no https, or another than this computer',
  ETIMEDOUT: 'its host does not answer',
  EHOSTUNREACH: 'no way leads to its host',
  ENETUNREACH: 'no way leads to its host; the computer may be offline',
};

export const noSearchProvider =
  'No search provider is chosen. The user can choose one in Parley’s settings, under Search and web.';
export const searchNotAsked = (sentence: string, detail: string | undefined) =>
  `The search could not be asked for. ${sentence}${detail ? ` (${detail})` : ''}`;
export const searchNotMade =
  'No search was made. Anthropic’s search works with its own endpoint; the user can choose another in Parley’s settings, under Search and web.';
export const anthropicSearchFailed = (code: string) =>
  ANTHROPIC_SEARCH_ERRORS[code] ?? `Anthropic's search failed (${code}).`;
const ANTHROPIC_SEARCH_ERRORS: Readonly<Record<string, string>> = {
  too_many_requests: "Anthropic's search takes no more searches at present. Try later.",
  query_too_long: 'The query is too long. Search for fewer words.',
  unavailable: "Anthropic's search is not available at present.",
};
const keyStep = 'The user can set it in Parley’s settings, under Search and web.';
export const searchKeyMissing = (provider: string) =>
  `The key of ${provider} is missing or no key. ${keyStep}`;
export const searchKeyRefused = (provider: string, detail: string) =>
  `${provider} refuses the key (${detail}). ${keyStep}`;
export const searchUnusable = (provider: string) =>
  `${provider} answered with something else than results.`;
export const searchUnreachable = (provider: string, why: string) =>
  `${provider} can't be reached (${why}).`;
export const noSearchAnswer = (seconds: number) => `no answer in ${seconds} s`;
export const searchesUsedUp = (provider: string, detail: string) =>
  `The searches of this ${provider} account are used up (${detail}).`;
export const tooManySearches = (provider: string, detail: string) =>
  `${provider} takes no more searches at present (${detail}). Try later.`;
export const searchFailed = (provider: string, detail: string) => `${provider} failed (${detail}).`;

export const embeddingsUnusable =
  'The embedding endpoint answered with something else than embeddings.';
export const embeddingUnreachable = (why: string) =>
  `The embedding endpoint can't be reached (${why}).`;
export const noEmbeddingAnswer = 'no answer within two minutes';
export const embeddingKeyRefused = 'The embedding endpoint refuses the key.';
/** @param detail what the server said; may be empty */
export const embeddingFailed = (status: number, model: string, detail: string) => {
  const why = status === 404 ? `knows no model "${model}", or another address` : 'failed';
  return `The embedding endpoint ${why} (${status}${detail === '' ? '' : `: ${detail}`}).`;
};
