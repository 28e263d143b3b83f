import { ItemView, Plugin, type WorkspaceLeaf } from 'obsidian';
import type { ContractQuestion } from '../question';
import { START_VIEW } from '../start-files';

export const startQuestions: readonly ContractQuestion[] = [
  {
    name: 'onload is awaited, then create is triggered for every file, then the layout is ready',
    about: ['Plugin', 'Plugin.onload', "Vault.on('create')", 'Workspace.onLayoutReady'],
    ownVault: 'It needs the start of the app with a plugin of its own.',
    ask: async ({ first }) => first instanceof StartRecorder && first.seen,
    answer: ['onload', 'onload is over', 'create First.md', 'ready with First.md'],
  },
  {
    name: 'onOpen of a view that the last layout shows is awaited before the layout is ready (observed)',
    about: ['Plugin.registerView', 'Workspace.onLayoutReady', 'ItemView', 'View.onOpen'],
    ownVault: 'It needs the start of the app with a plugin of its own.',
    ask: async ({ first }) => first instanceof StartRecorder && first.opened,
    answer: ['onOpen', 'onOpen is over', 'ready'],
  },
  {
    name: 'resolved is first triggered after the layout is ready, when the metadata of all notes is known (observed)',
    about: ['MetadataCache.getFileCache', 'Workspace.onLayoutReady'],
    ownVault: 'It needs the start of the app with a plugin of its own.',
    ask: async ({ first }) => first instanceof StartRecorder && first.indexed,
    answer: ['ready', 'resolved with First.md'],
  },
  {
    name: 'onLayoutReady calls back immediately if the layout is ready',
    about: ['Workspace.onLayoutReady'],
    async ask({ app }) {
      let called = false;
      app.workspace.onLayoutReady(() => (called = true));
      return called;
    },
    answer: true,
  },
];

/** Records what the plugin sees while the app starts, in a vault with one note, `First.md`. */
export abstract class StartRecorder extends Plugin {
  readonly seen: string[] = [];
  /** In a vault whose last layout shows `START_VIEW`. */
  readonly opened: string[] = [];
  readonly indexed: string[] = [];

  override async onload(): Promise<void> {
    const { metadataCache, vault, workspace } = this.app;
    this.seen.push('onload');
    this.registerView(START_VIEW, (leaf) => new StartView(leaf, this.opened));
    const ref = vault.on('create', ({ path }) => this.seen.push(`create ${path}`));
    workspace.onLayoutReady(() => {
      vault.offref(ref);
      const paths = vault.getFiles().map(({ path }) => path);
      this.seen.push(`ready with ${paths.join(' ')}`);
      this.opened.push('ready');
      this.indexed.push('ready');
    });
    const resolved = metadataCache.on('resolved', () => {
      metadataCache.offref(resolved);
      const known = vault.getMarkdownFiles().filter((file) => metadataCache.getFileCache(file));
      this.indexed.push(`resolved with ${known.map(({ path }) => path).join(' ')}`);
    });
    await new Promise((resolve) => window.setTimeout(resolve));
    this.seen.push('onload is over');
  }
}

class StartView extends ItemView {
  readonly #seen: string[];

  constructor(leaf: WorkspaceLeaf, seen: string[]) {
    super(leaf);
    this.#seen = seen;
  }

  getViewType(): string {
    return START_VIEW;
  }

  getDisplayText(): string {
    return 'Start';
  }

  protected override async onOpen(): Promise<void> {
    this.#seen.push('onOpen');
    await new Promise((resolve) => window.setTimeout(resolve));
    this.#seen.push('onOpen is over');
  }
}
