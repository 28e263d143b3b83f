/** Attaches what a typed or pasted link names. */
import { type Attachment, headingOf, isMentioned } from '#model/attachment';
import type { ComposerPort } from '#ports/app/composer-port';
import type { TextLink } from '#text/link-reader';

interface TypedLinks {
  readonly links: readonly TextLink[];
  readonly attachments: readonly Attachment[];
  /** Parts of the text that the user has not written, whose links attach nothing. */
  readonly linked: readonly string[];
}

/** The notes of the links that resolve and are not attached yet. */
export async function typedLinkAttachments(
  { links, attachments, linked }: TypedLinks,
  composer: Pick<ComposerPort, 'linkTargets' | 'headings'>,
): Promise<readonly Attachment[]> {
  const isNew = (link: TextLink) => {
    const [target, heading] = [link.target, headingOf(link)];
    const written = `[[${target}${heading === '' ? '' : `#${heading}`}`;
    const isAttached = attachments.some((each) => isMentioned(`${written}]]`, each));
    return !isAttached && !linked.some((part) => part.includes(written));
  };
  const fresh = links.filter(isNew);
  if (fresh.length === 0) return [];
  const paths = await composer.linkTargets(fresh.map(({ target }) => target));
  const found = await Promise.all(
    fresh.map(async (link, at): Promise<Attachment | null> => {
      const heading = headingOf(link);
      const path = paths[at] ?? null;
      if (path === null || heading === '') return path === null ? null : { kind: 'note', path };
      const wanted = heading.toLowerCase();
      const known = await composer.headings(path);
      const own = known.find((each) => each.toLowerCase() === wanted);
      return own === undefined ? null : { kind: 'note', path, heading: own };
    }),
  );
  return found.filter((each) => each !== null);
}
