/** What can be done with the chat that is shown, as a whole. */
export type ChatAct = 'rename' | 'pin' | 'archive' | 'export' | 'delete';
