/** Why a turn ended. */
export const noAnswer = 'The model ended without an answer.';
export const stopped = 'Stopped.';
export const retryAnnounced = (sentence: string, when: string) =>
  `${sentence} Parley will retry ${when}; no need to ask again.`;
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
