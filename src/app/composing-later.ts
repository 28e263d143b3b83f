/** The composer's desk and the drafts' file, evaluated when a composer first asks. */
import type { ComposerApi } from '#ports/composing';
import type { ComposerApiImpl } from './composer-api';
import type { DraftFile } from '#conversations/drafts';

export interface Later {
  readonly composing: ComposerApi;
  /** Writes what still waits to be written. */
  close(): void;
}

interface Desks {
  readonly desk: ComposerApiImpl;
  readonly drafts: DraftFile;
}

export function whenAsked(make: () => Promise<Desks>): Later {
  let made: Promise<Desks> | null = null;
  const asked = () => (made ??= make());
  const desk = async () => (await asked()).desk;
  return {
    composing: {
      mentionable: async () => (await desk()).mentionable(),
      tags: async () => (await desk()).tags(),
      prompts: async () => (await desk()).prompts(),
      promptText: async (path) => (await desk()).promptText(path),
      headings: async (path) => (await desk()).headings(path),
      existing: async (paths) => (await desk()).existing(paths),
      estimate: async (unsent) => (await desk()).estimate(unsent),
      drafts: async () => (await asked()).drafts.all(),
      keepDraft: (conversation, draft) =>
        void asked().then(({ drafts }) => drafts.keep(conversation, draft)),
    },
    close: () => void made?.then(({ drafts }) => drafts.flush()),
  };
}
