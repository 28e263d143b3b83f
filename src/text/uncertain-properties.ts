/** Judges the properties of a note: plugins run some of them, and take pictures from others. */
import { whyUncertain } from './uncertain-inline';
import { isRecord } from './untrusted-text';

/** Names of properties whose addresses are only links. */
const LINKS =
  /^(?:urls?|links?|sources?|web(?:site|page)?|site|home(?:page)?|href|references?|doi|repo(?:sitory)?|github|wiki|permalink|canonical|author|publisher|profile)(?:[ _-]?(?:url|link))?$/i;
const PICTURE = /\.(?:png|jpe?g|gif|webp|svg|avif|bmp|ico)\b/i;
/** Names that plugins give a meaning of their own: they run the value, or send the note elsewhere. */
const SPECIAL =
  /^tq_|-plugin$|meta-?bind|(?<!\p{L})(?:scripts?|quer(?:y|ies)|js|macros?|buttons?|publish|share)(?!\p{L})/iu;

/** Whether a plugin for drawings reads the note. */
export function isDrawing(yaml: string, properties: object | null): boolean {
  return /excalidraw/i.test(yaml) || /excalidraw/i.test(Object.keys(properties ?? {}).join(' '));
}

/**
 * The properties that are not certainly inert, as JSON.
 *
 * @param properties as Obsidian reads them from `yaml`; null if it cannot
 */
export function uncertainProperties(yaml: string, properties: object | null): readonly string[] {
  // Templates are read from the text of the file.
  if (yaml.includes('<%') || (properties === null && yaml.trim() !== '')) return [yaml];
  const comments = yaml.split('\n').filter((line) => /^\s*#/.test(line));
  return [
    ...comments.filter((line) => whyUncertain(line, true, false) !== null),
    ...Object.entries(properties ?? {})
      .filter(([name, value]) => !isInert(name, value))
      .map(([name, value]) => JSON.stringify({ [name]: value as unknown })),
  ];
}

function isInert(name: string, value: unknown): boolean {
  if (SPECIAL.test(name) || whyUncertain(name, true, false) !== null) return false;
  if (Array.isArray(value)) return value.every((each) => isInert(name, each));
  if (isRecord(value)) return Object.entries(value).every((entry) => isInert(...entry));
  if (typeof value !== 'string') return true;
  // Browsers read "https:/x" and "\\\\x" as addresses, too, also with tabs or line breaks within. A
  // single letter is a drive, and `A::b` a name.
  if (!/\/\/|^\s*(?:[a-z][\w+.-]+:(?!:)\S|[\\/]{2})/i.test(value.replace(/\p{Cc}/gu, '')))
    return whyUncertain(value, true, false) === null && !/^\s*\$?=/.test(value);
  return LINKS.test(name) && /^https?:\/\/[^\s"'<>{}\\`]*$/i.test(value) && !PICTURE.test(value);
}
