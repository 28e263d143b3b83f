/** What an approval asks, and what the call would do. */
import { list, plural } from './plural';

/** More notes than this are only counted. */
const MAX_NAMES = 3;

const named = (paths: readonly string[]) =>
  paths.length <= MAX_NAMES ? list(paths) : plural(paths.length, { other: '# notes' });

export const read = (paths: readonly string[]) => `Read ${named(paths)}?`;
export const readProperties = (paths: readonly string[]) =>
  `Read the properties of ${named(paths)}?`;
export const readDetails = (path: string) => `Read the details of ${path}?`;
export const readAttachments = 'Read what is attached and the open note?';
export const offerCopy = (paths: readonly string[]) => `Offer to copy ${named(paths)}?`;
export const searchNotes = (words: string) => `Search your notes for “${words}”?`;
export const filterNotes = 'Search your notes by properties, tags, links, or tasks?';
export const listFiles = 'List your files and folders?';
export const listTags = 'List your tags?';
export const listFolders = 'List your folders?';
export const listLinks = (path: string) => `List the links of ${path}?`;
export const findBrokenLinks = 'Look for broken links in your notes?';
export const searchWeb = (words: string) => `Search the web for “${words}”?`;
export const searchChats = (words: string) => `Search past chats for “${words}”?`;
export const readChats = 'Read past chats?';
export const open = (path: string) => `Open ${path}?`;
export const showPlan = 'Show a plan?';
export const sendMessage = 'Send you a message?';
export const endChat = 'End this chat?';
export const useTool = (name: string) => `Use “${name}”?`;

export const change = (path: string) => `Allow this change to ${path}?`;
export const create = (path: string) => `Create ${path}?`;
export const createFolder = (path: string) => `Create the folder ${path}?`;
export const move = (from: string, to: string) => `Move ${from} to ${to}?`;
export const remove = (path: string) => `Delete ${path}?`;

export const creates = (path: string, lines: number) =>
  `Creates ${path} (${plural(lines, { one: '# line', other: '# lines' })}).`;
export const changes = (path: string, added: number, removed: number) =>
  `Changes ${path} (+${added} −${removed} lines).`;
export const deletes = (path: string) => `Deletes ${path}.`;
export const moves = (from: string, to: string) => `Moves ${from} to ${to}.`;
export const createsFolder = (path: string) => `Creates the folder ${path}.`;
/** @param name of an input field of the tool */
export const inputLine = (name: string, value: string) => `${name}: ${value}`;
