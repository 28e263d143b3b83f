/** Text of how far a request is that is shown in a note: a quick edit, or a reply to an edit. */
export const sending = 'Sending…';
export const queued = 'Waiting for another request';
export const working = 'Working…';
export const paused = 'Paused';
export const needsApproval = 'Parley needs your approval in the chat.';
export const finished = 'Done';
export const openChat = 'Open chat';
