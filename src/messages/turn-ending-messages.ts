/**
 * Why a turn ended, what failed, each failure in one sentence with the next step, and details of
 * failed web requests.
 */
import type { AutomaticRetry } from '#model/failure';

/** @param model its id */
export const emptyAnswer = (model: string) =>
  `${model.startsWith('claude') ? 'Claude' : 'The model'} sent an empty answer.`;
export const stopped = 'Stopped.';
export const stoppedBecause = (why: string) => `Stopped: ${why}`;
export const stoppedByClient = 'the MCP client took its call back, or its session ended.';
export const stoppedByClosing = 'Parley was closed before it ended.';
/** When Parley retries a failed request, and what to do for it. */
export function retryText(plan: AutomaticRetry): string {
  switch (plan.when) {
    case 'at':
      return `Trying again at ${plan.time} by itself.`;
    case 'online':
      return 'Parley tries again when you are back.';
    case 'key':
      return 'Check the API key in the settings. Parley tries again when it changes.';
    case 'credit':
      return 'Add credit, then check the API key in the settings. Parley tries again then.';
  }
}
/** The same for a listener, said by the assistant. */
export function saidRetry(plan: AutomaticRetry): string {
  switch (plan.when) {
    case 'at':
      return `I’ll try again at ${plan.time}.`;
    case 'online':
      return 'I’ll try again when you are online.';
    case 'key':
      return 'Check it in the settings; I’ll try again when it changes.';
    case 'credit':
      return 'Add credit, then check the API key in the settings; I’ll try again then.';
  }
}
export const detailsInObsidian = 'The details are in Obsidian.';
/** @param time for example "3:07 PM" */
export const retryAfter = (time: string) => `Retry after ${time}.`;
export const stepLimit = 'The step limit for one request was reached before the work was finished.';
export const tokenLimit =
  'The token limit for one request was reached before the work was finished.';
export const turnCostLimit =
  'The cost limit for one request was reached before the work was finished.';
export const dayLimit = 'Your daily limit is reached.';
export const dayCostLimit = (dollars: number) =>
  `Your limit of $${dollars.toFixed(2)} a day is reached.`;
export const repeatedCall = 'Stopped because the same call was repeated without progress.';
export const noAnswerInTime = 'Stopped because no answer came in time.';
export const answerTooLong = 'The answer reached the model’s maximum length and was cut off.';
export const nothingChanged = 'Nothing was changed.';

export const noDataFor = (seconds: number) => `No data for ${seconds} s.`;
export const serverSilent = 'The server did not answer.';
export const keyCharacters = 'The key contains characters that no key has.';
export const jsonInvalid = 'The response contained invalid JSON.';
export const notModelList = 'The response was not a list of models.';
export const notStream = 'The response was not a stream.';
export const eventIncomplete = 'The stream contained an incomplete event.';
export const eventTooDeep = 'An event was nested too deeply.';
export const redirected = 'It redirects to another address.';
export const redirectedTo = (origin: string, path: string, status: number) =>
  `It redirects to ${origin}${path} (${status}), where the key is not sent.`;
export const requestStopped = 'The request was stopped.';
export const responseInvalid = 'The response has an invalid status.';
export const onlyText = 'Only text can be sent.';
export const connectionClosed = 'The connection was closed.';
export const noResponse = 'There was no answer.';
export const transferStopped = 'It was stopped.';
export const unknownEncoding = 'its encoding is not supported';
export const hostClosed = 'the host closed the connection';
export const tooManyRedirects = (origin: string, path: string, status: number) =>
  `It redirects too many times, last to ${origin}${path} (${status}).`;
