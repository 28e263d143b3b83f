/** What links and images name, read as loosely as any reader of Markdown might. */

/** A path and nothing that could be read as more: no scheme, no host, no entity and no escape. */
export function isOfTheVault(target: string): boolean {
  const bare = target.replace(/^<|>$/g, '');
  return !/^\s*(?:\/\/|\\\\)|[:\\]|&#?\w+;/.test(bare);
}

export function placeOf(target: string): string {
  const host = /^<?\s*[a-z][\w+.-]*:\/\/([^/?#\s>]+)/i.exec(target)?.[1];
  return host ?? 'elsewhere';
}

/** Schemes that a click may follow without anything being done by it. */
const PLAIN_SCHEMES = /^(?:https?|mailto|tel|zotero|doi):/i;

export function isPlainLink(target: string): boolean {
  const bare = target.replace(/^<|>$/g, '').trim();
  // The hash of an entity is no fragment.
  const head = bare.split(/[/?]|(?<!&)#/, 1)[0] ?? '';
  return PLAIN_SCHEMES.test(bare) || !/[:\\\p{Cc}]|&#?\w+;?/u.test(head);
}
