/** Text of quick edits: the field in a note, its actions, and refusals. */
export const quickEdit = 'Quick edit';

export const placeholder = 'Describe the change, or pick an action';
export const placeholderEmpty = 'Describe what to write, or pick an action';
export const placeholderRefine = 'Refine: “more formal”, “keep the first sentence”';
export const placeholderAnswer = 'Type your answer';
export const accept = 'Accept';
export const reject = 'Reject';
export const undo = 'Undo';
export const undone = 'Undone';
export const keySend = 'send';
export const keyChoose = 'choose';
export const keyClose = 'close';
export const keyStop = 'stop';

export const severalCursors =
  'Quick edit works at one place. Press Esc to keep one cursor, then try again.';
export const inProperties = 'Quick edit works in the text below the properties.';
export const inDeletedText = 'This text is about to be deleted. Reject that edit first.';
export const readOnly =
  'This note’s edits are set to Read only. Switch to Review or Apply to edit.';
export const noteNotAvailable = 'The agent isn’t allowed to read this note.';
export const placeGone = 'The note was closed.';
export const promptUnreadable = 'That prompt note can’t be read anymore.';

export const rewrite = 'Rewrite';
export const rewriteText = 'Rewrite this so that it reads more clearly. Keep its meaning and tone.';
export const shorten = 'Shorten';
export const shortenText = 'Make this shorter. Keep what matters.';
export const continueWriting = 'Continue writing';
export const continueText =
  'Continue writing after this, in the same style, with about one paragraph. Keep this text as it is.';
export const continueHereText =
  'Continue writing here, in the style of the note, with about one paragraph.';
export const fix = 'Fix spelling and grammar';
export const fixText = 'Fix spelling, grammar and punctuation. Change nothing else.';
export const translate = 'Translate…';
export const translateStart = 'Translate this to ';
export const makeList = 'Make a list';
export const makeListText = 'Turn this into a list.';
export const makeTable = 'Make a table';
export const makeTableText = 'Turn this into a table.';
export const addLinks = 'Add links';
export const addLinksText =
  'Link the words here that name notes in the vault. Search for the notes, and change nothing but the links.';
export const writeList = 'Write a list…';
export const writeListStart = 'Write a list of ';
export const writeTable = 'Write a table…';
export const writeTableStart = 'Write a table of ';
