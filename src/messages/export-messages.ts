/** Exporting chats to notes: the choice of a folder, and the dialog for all chats. */
import { counted, number } from './plural';

export const chooseExportFolder = 'Choose a folder for the export…';
export const vaultRoot = 'Top of the vault';
export const newExportFolder = (path: string) => `Create “${path}”`;
export const exportAllTitle = 'Export all chats';
export const exportPreparing = 'Counting chats…';
export const exportExplained = (notes: number, folder: string) =>
  `${counted(notes, 'chat will be saved as a note', 'chats will be saved as notes')} in “${folder}”. Notes that exist are not changed.`;
export const startExport = 'Export';
export const cancelExport = 'Cancel';
export const stopExport = 'Stop';
export const closeExport = 'Close';
export const exportProgress = (done: number, all: number) =>
  `${number(done)} of ${number(all)} chats saved.`;
export const exportDone = (notes: number, folder: string) =>
  `${counted(notes, 'chat')} saved in “${folder}”.`;
export const exportStopped = (notes: number, all: number, folder: string) =>
  `Stopped. ${number(notes)} of ${counted(all, 'chat')} saved in “${folder}”.`;
export const exportDiskFull = (notes: number, all: number, folder: string) =>
  `The disk is full. ${number(notes)} of ${counted(all, 'chat')} saved in “${folder}”. Free up some space, then export again.`;
export const exportFailures = (count: number) => `${counted(count, 'chat')} could not be saved:`;
export const exportFailureLine = (title: string, reason: string) => `${title}: ${reason}`;
export const exportMoreFailures = (count: number) => `and ${number(count)} more`;
