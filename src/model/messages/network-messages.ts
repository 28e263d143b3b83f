/** Failures of web requests. */
export const redirected = 'It redirects to another address.';
export const redirectedTo = (origin: string, path: string, status: number) =>
  `It redirects to ${origin}${path} (${status}), where the key is not sent.`;
export const requestStopped = 'The request was stopped.';
export const responseInvalid = 'The response has an invalid status.';
export const onlyText = 'Only text can be sent.';
export const connectionClosed = 'The connection was closed.';
export const noAnswer = 'There was no answer.';
export const stopped = 'It was stopped.';
export const unknownEncoding = 'its encoding is not supported';
export const hostClosed = 'the host closed the connection';
export const tooManyRedirects = (origin: string, path: string, status: number) =>
  `It redirects too many times, last to ${origin}${path} (${status}).`;
