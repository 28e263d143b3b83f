/** Why a turn ended. */
export const noAnswer = 'The model ended without an answer.';
export const stopped = 'Stopped.';
/** @param time for example "3:07 PM" */
export const retryAt = (time: string) => `Parley will retry at ${time}; no need to ask again.`;
export const retryOnline = 'Parley will retry when you are online; no need to ask again.';
export const retryWithKey =
  'Check the API key in the settings. Parley will retry when it changes; no need to ask again.';
export const retryWithCredit =
  'Add credit, then check the API key in the settings. Parley will then retry; no need to ask again.';
export const stepLimit = 'The step limit for one request was reached before the work was finished.';
export const tokenLimit =
  'The token limit for one request was reached before the work was finished.';
export const turnCostLimit =
  'The cost limit for one request was reached before the work was finished.';
export const dayCostLimit = 'The daily cost limit was reached before the work was finished.';
export const repeatedCall = 'Stopped because the same call was repeated without progress.';
export const noAnswerInTime = 'Stopped because no answer came in time.';
export const answerTooLong = 'The answer reached the model’s maximum length and was cut off.';
export const nothingChanged = 'Nothing was changed.';
