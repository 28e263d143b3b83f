/** Messages: notices. */
export const importFailed = (name: string, error: string) =>
  `${name} could not be saved in the vault. (${error})`;
export const openNoteFirst = 'Open the note to insert into first.';
export const inReadingView = (note: string) =>
  `“${note}” is in reading view. Switch it to editing first.`;
export const editAtCursor = (note: string) =>
  `There is a pending edit at the cursor in “${note}” that this would break.`;
export const noteNotCreated = (error: string) => `The note could not be created. (${error})`;
export const partNotShown = (part: string, name: string) =>
  `A part of Parley could not be displayed: ${part} (${name}).`;
