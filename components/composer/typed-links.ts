/** Attaches what a typed or pasted link names. */
import { type Attachment, headingOf, mentionKey, mentionKeys } from '#model/attachment';
import type { ComposerPort } from '#ports/app/composer-port';
import type { TextLink } from '#text/link-reader';

/** The notes of the links that resolve and are not attached yet. */
export async function typedLinkAttachments(
  links: readonly TextLink[],
  attachments: readonly Attachment[],
  composer: Pick<ComposerPort, 'linkTargets' | 'headings'>,
  openNote: string | null,
): Promise<readonly Attachment[]> {
  const attached = new Set(attachments.flatMap(mentionKeys));
  const fresh = links.filter((link) => !attached.has(mentionKey(link)));
  if (fresh.length === 0) return [];
  const paths = await composer.linkTargets(
    fresh.map(({ target }) => target),
    openNote,
  );
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
