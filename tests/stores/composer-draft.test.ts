import { describe, expect, test } from 'vitest';
import type { Attachment } from '#model/attachment';
import { ComposerDraft } from '#stores/composer-state';

const note = (name: string): Attachment => ({ kind: 'note', path: `${name}.md` });

/** Writes the text as the user does, and attaches the notes of its new links. */
function write(draft: ComposerDraft, text: string) {
  draft.text = text;
  const links = draft.newLinks();
  if (links.length > 0) draft.mention(...links.map(({ target }) => note(target)));
}

const linksTo = (count: number) =>
  Array.from({ length: count }, (_, at) => `[[Note ${at + 1}]]`).join(' ');

describe('links in a draft', () => {
  test('a draft forgets the notes of removed links, so that many pasted links attach none', () => {
    const draft = new ComposerDraft();
    write(draft, linksTo(3));
    expect(draft.attachments).toHaveLength(3);
    write(draft, '');
    write(draft, linksTo(12));
    expect(draft.attachments).toEqual([]);
  });

  test('a draft attaches the note of a link that comes back', () => {
    const draft = new ComposerDraft();
    write(draft, 'See [[Trip]]');
    write(draft, 'See ');
    expect(draft.attachments).toEqual([]);
    write(draft, 'See [[Trip]]');
    expect(draft.attachments).toEqual([note('Trip')]);
  });

  test('a draft attaches a link again in the next message', () => {
    const draft = new ComposerDraft();
    write(draft, '[[Trip]]');
    draft.forget(draft.take());
    write(draft, '[[Trip]]');
    expect(draft.attachments).toEqual([note('Trip')]);
  });
});
