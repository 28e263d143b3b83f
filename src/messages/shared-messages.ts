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

export const notShown = (hasText: boolean) =>
  `This could not be displayed${hasText ? ', so it is shown as plain text' : ''}.`;
