/** Text of the reply field of a pending edit, and of its versions. */
export const reply = 'Reply';
export const keyReply = 'reply';
export const field = 'Reply to this edit';
export const placeholder = 'Type “shorter”, “why?” …';
export const placeholderSpoken = 'Speak or type: “shorter”, “why?” …';
export const send = 'Send';
export const stop = 'Stop';
export const needsAnswer = 'Parley asks in the chat:';
export const versions = 'Versions';
export const versionOf = (at: number, count: number) => `Version ${at} of ${count}`;
export const previousVersion = 'Previous version';
export const nextVersion = 'Next version';
export const aboutEditAbove = 'About the edit above.';
