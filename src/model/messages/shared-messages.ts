/** Text of shared controls. */
export const dismiss = 'Dismiss';
export const remove = (name: string) => `Remove ${name}`;
export const clipboardUnavailable = 'The clipboard is not available.';
export const copied = 'Copied';
export const copyWhat = (what: string) => `Copy ${what}`;
export const tryAgain = 'Try again';
export const backToChat = 'Back to the chat';
export const pinned = 'Pinned';
export const today = 'Today';
export const yesterday = 'Yesterday';
export const thisWeek = 'This week';

/** @param part for example "message" */
export const notShown = (part: string, hasText: boolean) =>
  hasText
    ? `This ${part} could not be displayed, so it is shown as plain text.`
    : `This ${part} could not be displayed.`;
