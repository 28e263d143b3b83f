/** Text of the suggestion to remember a correction. */
export const remember = 'Remember';
export const question = 'Remember this for next time?';
export const notNow = 'Not now';
export const added = 'Added to your instructions for new chats:';
export const seeInSettings = 'View in settings';
export const replaceRule = (to: string, from: string) => `Write “${to}” rather than “${from}”.`;
export const omitRule = (from: string) => `Leave out “${from}”.`;
export const addRule = (to: string) => `Add “${to}”.`;
