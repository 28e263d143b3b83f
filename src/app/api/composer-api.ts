/** Implements the composer's port: mentions, tags, prompts, drafts and the context estimate. */
import * as t from '#messages/composer-messages';
import { estimateTokens, fixedTokens, historyTokens, promptTokens } from '#agent/token-estimate';
import type { ModelWindow } from '#agent/compaction';
import { noteName } from '#text/paths';
import { type Conversation, modeFor } from '#model/conversation';
import type { ConversationId } from '#model/ids';
import type { Settings } from '#model/settings';
import type { Clock } from '#ports/clock';
import type {
  ComposerPort,
  Mentionable,
  ContextEstimate,
  PromptNote,
  TagCount,
  UnsentMessage,
} from '#ports/app/composer-port';
import type { Prompt } from '#ports/model-provider';
import type { NoteEntry } from '#ports/vault';
import { splitNote } from '#text/front-matter';
import { notesIn } from '#tools/custom/custom-tools';
import { withoutInvisible } from '#text/invisible-characters';
import { closeGaps, firstCharacters } from '#text/shorten';
import { headings } from '#tools/editor/edit/headings';
import { Lines } from '#tools/editor/edit/text-lines';
import type { DraftFile } from '#conversations/drafts';
import { limitsOf, buildContext } from '#queue/turn-context';
import type { ToolContexts } from '#tools/tool-context';

export interface ComposerApiDeps {
  readonly toolContexts: ToolContexts;
  readonly drafts: DraftFile;
  readonly clock: Clock;
  conversation(id: ConversationId): Promise<Conversation | null>;
  /** The prompt that the next turn of this conversation would have. */
  prompt(conversation: Conversation | null): Promise<Prompt>;
  /** What its context would say about the vault and the days. */
  opening(conversation: Conversation | null): Promise<string[]>;
  window(model: string): Promise<ModelWindow>;
  settings(): Settings;
}

const MAX_PROMPTS = 500;
const MAX_PROMPT_CHARS = 100_000;

export class ComposerApi implements ComposerPort {
  readonly #deps: ComposerApiDeps;
  #listed: { readonly of: readonly NoteEntry[]; readonly made: Mentionable } | null = null;

  constructor(deps: ComposerApiDeps) {
    this.#deps = deps;
  }

  drafts(): ReturnType<ComposerPort['drafts']> {
    return this.#deps.drafts.all();
  }

  keepDraft(...[owner, draft]: Parameters<ComposerPort['keepDraft']>): void {
    this.#deps.drafts.keep(owner, draft);
  }

  async mentionable(): Promise<Mentionable> {
    const vault = this.#deps.toolContexts.vault();
    const listing = await vault.listing();
    const newest = listing.newestFirst;
    if (this.#listed?.of === newest) return this.#listed.made;
    const made = {
      files: newest.map(({ path }) => path),
      folders: listing.folders.map(({ path }) => path).sort(),
    };
    this.#listed = { of: newest, made };
    return made;
  }

  async tags(): Promise<readonly TagCount[]> {
    const metadata = await this.#deps.toolContexts.vault().metadata();
    const { uses } = await metadata.tags();
    const counts = Array.from(uses.values(), ({ name, notes }) => ({ tag: name.slice(1), notes }));
    return counts.sort((a, b) => b.notes - a.notes || (a.tag < b.tag ? -1 : 1));
  }

  async prompts(): Promise<readonly PromptNote[]> {
    const { toolContexts, settings } = this.#deps;
    const { promptFolder } = settings();
    if (promptFolder === '') return [];
    return (await notesIn(promptFolder, toolContexts.vault(), MAX_PROMPTS))
      .map(({ path }) => ({ path, name: noteName(path) }))
      .sort((a, b) => a.name.localeCompare(b.name));
  }

  async promptText(path: string): Promise<string | null> {
    const read = await this.#deps.toolContexts.acceptedVault().read(path);
    if (!read.ok) return null;
    const text = closeGaps(withoutInvisible(splitNote(read.value.text).body.trim()));
    return firstCharacters(text, MAX_PROMPT_CHARS);
  }

  async headings(path: string): Promise<readonly string[]> {
    const { toolContexts } = this.#deps;
    if ((await toolContexts.visiblePath(path)) === null) return [];
    const read = await toolContexts.vault().read(path);
    return read.ok ? headings(new Lines(read.value.text)).map(({ text }) => text) : [];
  }

  async existing(paths: readonly string[]): Promise<readonly string[]> {
    const vault = this.#deps.toolContexts.vault();
    const found = await Promise.all(paths.map((path) => vault.find(path)));
    return paths.filter((path, at) => {
      const each = found[at];
      return each?.ok === true && each.value.entry.path === path;
    });
  }

  async linkTargets(
    links: readonly string[],
    from: string | null,
  ): Promise<readonly (string | null)[]> {
    const vault = this.#deps.toolContexts.vault();
    const targetOf = async (link: string) => {
      const linked = await vault.linked(link, from ?? '');
      if (linked !== null) return linked;
      const found = await vault.find(link, 'file');
      return found.ok ? found.value.entry.path : null;
    };
    return Promise.all(links.map(targetOf));
  }

  async estimate({
    text,
    conversation,
    attachments,
    activeNote,
  }: UnsentMessage): Promise<ContextEstimate> {
    const { toolContexts, clock, settings, prompt: promptOf, window } = this.#deps;
    const now = settings();
    const state = conversation === null ? null : await this.#deps.conversation(conversation);
    const prompt = await promptOf(state);
    const context = await buildContext(
      {
        now: clock.describe(clock.now()),
        source: 'typed',
        limits: limitsOf(state ? modeFor(state, now.panelMode) : now.panelMode, now),
        activeNote: activeNote === null ? null : await toolContexts.visiblePath(activeNote),
        opening: await this.#deps.opening(state),
        switchedOff: [],
        retry: null,
        userActions: [],
      },
      attachments,
      toolContexts,
      null,
    );
    const parts = [
      { name: t.yourMessage, tokens: estimateTokens(text) },
      ...context.parts.map(({ name, tokens }) => ({ name, tokens })),
    ];
    const instructions = fixedTokens(prompt);
    const total = state ? promptTokens(state, prompt) : instructions;
    // The server's count is exact for the whole, but is not split into parts, so the estimates only
    // give the shares.
    const tokens = state ? historyTokens(state) : 0;
    const history = Math.round((total * tokens) / (tokens + instructions));
    return {
      parts,
      message: parts.reduce((sum, { tokens }) => sum + tokens, 0),
      fixed: total - history,
      history,
      window: (await window(now.model)).prompt,
    };
  }
}
