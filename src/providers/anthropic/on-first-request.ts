/** What is evaluated with the first request rather than at load: the SDK and all code that uses it. */
export { AnthropicClient, isUsableKey } from './anthropic-client';
export { isContentRefused, requestFailure } from './anthropic-errors';
export { anthropicRequest } from './anthropic-request';
export { StreamAccumulator, streamMessage } from './anthropic-stream';
export { ShownFiles } from './shown-files';
