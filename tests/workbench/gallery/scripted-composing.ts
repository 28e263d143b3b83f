/** Fakes the composer's port from a few given names. */
import { noteName, withoutNoteExtension } from '#text/paths';
import { type DraftOwner, type DraftText } from '#model/attachment';
import type { ComposerPort, ContextEstimate, TagCount } from '#ports/app/composer-port';

export interface ScriptedVault {
  readonly files?: readonly string[];
  readonly folders?: readonly string[];
  readonly tags?: readonly TagCount[];
  readonly headings?: Readonly<Record<string, readonly string[]>>;
  /** Prompt texts by path. */
  readonly prompts?: Readonly<Record<string, string>>;
  /** What can't be known. */
  readonly hidden?: readonly string[];
  readonly outlook?: ContextEstimate;
  readonly drafts?: ReadonlyMap<DraftOwner | '', DraftText>;
}

export interface ScriptedComposing extends ComposerPort {
  /** By conversation. */
  readonly kept: Map<DraftOwner | '', DraftText>;
}

const OUTLOOK: ContextEstimate = {
  parts: [
    { name: 'Your message', tokens: 12 },
    { name: 'Date, mode and updates', tokens: 140 },
  ],
  message: 152,
  fixed: 5_600,
  history: 2_300,
  window: 200_000,
};

export function scriptedComposing(vault: ScriptedVault = {}): ScriptedComposing {
  const { files = [], folders = [], tags = [], headings = {}, hidden = [] } = vault;
  const { prompts = {} } = vault;
  const mentionable = { files, folders };
  const kept = new Map(vault.drafts);
  return {
    kept,
    mentionable: async () => mentionable,
    tags: async () => tags,
    headings: async (path) => headings[path] ?? [],
    prompts: async () => Object.keys(prompts).map((path) => ({ path, name: noteName(path) })),
    promptText: async (path) => prompts[path] ?? null,
    existing: async (paths) => paths.filter((path) => !hidden.includes(path)),
    linkTargets: async (links) => links.map((link) => targetOf(link, files)),
    estimate: async () => vault.outlook ?? OUTLOOK,
    drafts: async () => kept,
    keepDraft: (id, draft) => void kept.set(id ?? '', draft),
  };
}

/** The only file with that name or path. */
function targetOf(link: string, files: readonly string[]): string | null {
  const wanted = withoutNoteExtension(link).toLowerCase();
  const found = files.filter((path) =>
    [withoutNoteExtension(path), noteName(path)].some((name) => name.toLowerCase() === wanted),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}
