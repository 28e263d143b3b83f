/** Judges the targets of links, images and elements. */

/** An entity that may stand for a character of an address; `R&D` and `a&amp;b` contain none. */
const ENTITY = /&(?!amp;(?!#|\w+;))(?:#|\w+;)/;

/**
 * Whether the target is certainly a path in the vault: it has no scheme, host, entity or escape.
 */
export function isVaultTarget(target: string): boolean {
  const bare = target.replace(/^<|>$/g, '');
  return !/^\s*(?:\/\/|\\\\)|[:\\\p{Cc}]/u.test(bare) && !ENTITY.test(bare);
}

/** Schemes that are safe to follow on a click. */
const PLAIN_SCHEMES = /^(?:https?|mailto|tel|zotero|doi):/i;

/** Whether following the link on a click makes no other program act. */
export function isPlainLink(target: string): boolean {
  const bare = target.replace(/^<|>$/g, '').trim();
  // A word in brackets after a link, as in "(see: …)".
  if (/^[^&:\\\p{Cc}]*:$/u.test(bare)) return true;
  // The `#` of an entity (`&#58;`) does not start a fragment.
  const head = bare.split(/[/?]|(?<!&)#/, 1)[0] ?? '';
  return PLAIN_SCHEMES.test(bare) || (!/[:\\\p{Cc}]/u.test(head) && !ENTITY.test(head));
}

/** The host of a target, or "elsewhere". */
export function hostOf(target: string): string {
  const host = /^[<"'\s]*[a-z][\w+.-]*:\/\/([^/?#\s>"']+)/i.exec(target.slice(0, 300))?.[1];
  return host ?? 'elsewhere';
}

/** An item of active content. */
export interface ActiveContent {
  /** Description for the user, such as "a block of `dataviewjs`" or "an image from example.org". */
  readonly what: string;
  /** The whole text that would run or load. */
  readonly text: string;
}
