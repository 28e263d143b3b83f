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

/** Parts of the screen that can fail to be displayed, as nouns. */
export const parts = {
  answer: 'answer',
  approval: 'approval',
  approvalOrQuestion: 'approval or question',
  blockOfChange: 'block of a change',
  blockOfText: 'block of text',
  button: 'button',
  calloutIcon: 'callout icon',
  change: 'change',
  chat: 'chat',
  codeColors: 'code colors',
  contextMeter: 'context meter',
  decidedEdit: 'decided edit',
  diagram: 'diagram',
  embeddedNote: 'embedded note',
  endOfTheMessage: 'end of the message',
  formula: 'formula',
  header: 'header',
  hint: 'hint',
  icon: 'icon',
  inbox: 'inbox',
  list: 'list',
  listOfAttachments: 'list of attachments',
  listOfChanges: 'list of changes',
  listOfEdits: 'list of edits',
  listOfSources: 'list of sources',
  listOfSuggestions: 'list of suggestions',
  message: 'message',
  messageField: 'message field',
  modeSwitch: 'mode switch',
  notice: 'notice',
  panel: 'panel',
  pastChat: 'past chat',
  pendingEdit: 'pending edit',
  plan: 'plan',
  preview: 'preview',
  question: 'question',
  queue: 'queue',
  request: 'request',
  retry: 'retry',
  summary: 'summary',
  toolCall: 'tool call',
  toolbar: 'toolbar',
  welcomePage: 'welcome page',
} as const;

export type PartName = keyof typeof parts;

export const notShown = (part: PartName, hasText: boolean) =>
  hasText
    ? `This ${parts[part]} could not be displayed, so it is shown as plain text.`
    : `This ${parts[part]} could not be displayed.`;
