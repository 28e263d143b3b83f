/** Checks the values of settings. */
import { isAttachment } from './attachment';
import { areLogLevels } from './log';
import { areMcpServers } from './mcp-server';
import { isRecord } from '#text/untrusted-text';

/** Null if the value is valid, else what was expected. */
export type Check = (value: unknown) => string | null;

export const textUpTo =
  (limit: number): Check =>
  (value) =>
    typeof value === 'string' && value.length <= limit
      ? null
      : `a text of at most ${limit.toLocaleString('en')} characters`;

export const wholeNumber =
  (least: number, most: number): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most
      ? null
      : `a whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}`;

export const oneOf =
  (...choices: readonly unknown[]): Check =>
  (value) =>
    choices.includes(value) ? null : `one of ${choices.map((choice) => String(choice)).join(', ')}`;

export const webAddress: Check = (value) =>
  typeof value === 'string' && isSecureAddress(value) && !/\/v1\/?$/.test(new URL(value).pathname)
    ? null
    : 'an https address such as https://api.anthropic.com, without /v1; http only to this computer';

export const embeddingEndpoint: Check = (value) =>
  value === '' || (typeof value === 'string' && isSecureAddress(value))
    ? null
    : 'an https address, one on this computer such as http://localhost:11434, or nothing';

/** Local storage, which holds what is in force, has little room. */
const MAX_LIST_CHARS = 200_000;

export const toolPermissions: Check = (value) =>
  isRecord(value) &&
  JSON.stringify(value).length <= MAX_LIST_CHARS &&
  Object.values(value).every((each) => oneOf('allow', 'ask', 'off')(each) === null)
    ? null
    : 'tool names with allow, ask or off';

export const agentNames: Check = (value) =>
  Array.isArray(value) && value.length <= 200 && value.every((name) => textUpTo(64)(name) === null)
    ? null
    : 'names of agents, such as vault_manager';

export const folderNames: Check = (value) =>
  Array.isArray(value) && value.length <= 200 && value.every(isFolderName)
    ? null
    : 'folders of the vault, one a line, such as Journal/Private';

export const folderName: Check = (value) =>
  value === '' || isFolderName(value) ? null : 'a folder of the vault, such as Parley/Tools';

function isFolderName(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 500) return false;
  const names = value.split('/').filter((name) => name.trim() !== '');
  return names.length > 0 && !names.some((name) => /^\.{1,2}$/.test(name));
}

export const commandIds: Check = (value) =>
  Array.isArray(value) &&
  value.length <= 200 &&
  value.every((id) => typeof id === 'string' && id !== '' && id.length <= 300)
    ? null
    : 'ids of commands, such as editor:save-file';

export const presetList: Check = (value) =>
  Array.isArray(value) && value.length <= 100 && value.every(isPreset)
    ? null
    : 'presets with a name of their own, each with attachments';

function isPreset(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { name, attachments } = value;
  const isNamed = typeof name === 'string' && name.trim() !== '' && name.length <= 100;
  return isNamed && Array.isArray(attachments) && attachments.every(isAttachment);
}

export const tagName: Check = (value) =>
  value === '' ||
  (typeof value === 'string' &&
    /^(?!\d+$)[\p{L}\p{M}\p{N}_-]+(?:\/[\p{L}\p{M}\p{N}_-]+)*$/u.test(value))
    ? null
    : 'a tag without #, such as private, or nothing';

export const ownTag: Check = (value) =>
  value === '' || tagName(value) !== null ? 'a tag without #, such as ai_edit' : null;

export const dollars: Check = (value) =>
  typeof value === 'number' && value >= 0 && value <= 100_000
    ? null
    : 'an amount in US dollars from 0 (no limit) to 100,000';

export const priceTable: Check = (value) =>
  isRecord(value) &&
  Object.values(value).every(
    (price) =>
      isRecord(price) &&
      ['input', 'output', 'cacheRead', 'cacheWrite'].every((name) => dollars(price[name]) === null),
  )
    ? null
    : 'the price of each model’s input, output, cacheRead and cacheWrite, in US dollars for a million tokens';

export const wireName: Check = (value) =>
  value === '' || (typeof value === 'string' && /^[a-zA-Z][a-zA-Z0-9_-]{0,54}$/.test(value))
    ? null
    : 'one word of at most 55 letters, digits, - and _ that begins with a letter, or nothing';

/** Limit for the routing description in UTF-16 units, as SmartHole counts. */
export const MAX_DESCRIPTION_CHARS = 1_024;

export const routingDescription: Check = (value) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= MAX_DESCRIPTION_CHARS
    ? null
    : 'a description of 1 to 1,024 characters';

export const modelId: Check = (value) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 200
    ? null
    : 'the id of a model, such as claude-haiku-4-5-20251001';

export const serverList: Check = (value) =>
  areMcpServers(value) && JSON.stringify(value).length <= MAX_LIST_CHARS
    ? null
    : 'tool servers with an id, a name, and a command or an address';

export const logLevels: Check = (value) =>
  areLogLevels(value) ? null : 'areas of the log with off, problems or everything';

/**
 * Where texts of notes and secrets may be sent: to any server over https, over plain http only to
 * this computer, since anyone on the way could read them.
 */
export function isSecureAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** @param hostname as `URL` normalizes it, so that 127.1 and 0x7f000001 read 127.0.0.1 */
function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
