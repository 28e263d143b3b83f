/** Minimal search view for links to tags: lists the notes that have the tag. */
import { ItemView, type WorkspaceLeaf } from 'obsidian-test-mocks/obsidian';
import { getAllTags } from '../../obsidian/metadata/front-matter';

export const SEARCH = 'search';

export class SearchView extends ItemView {
  #query = '';

  constructor(leaf: WorkspaceLeaf) {
    super(leaf);
  }

  override getViewType(): string {
    return SEARCH;
  }

  override getDisplayText(): string {
    return 'Search';
  }

  override getIcon(): string {
    return 'search';
  }

  override getState(): Record<string, unknown> {
    return { query: this.#query };
  }

  override async setState(state: unknown): Promise<void> {
    const { query } = (state ?? {}) as { query?: string };
    this.#query = query ?? '';
    const { contentEl, app } = this;
    contentEl.empty();
    contentEl.addClass('workbench-panel');
    contentEl.createEl('p', { cls: 'workbench-panel-lead', text: this.#query });
    const tag = this.#query.replace(/^tag:/, '').toLowerCase();
    for (const file of app.vault.getMarkdownFiles()) {
      const cache = app.metadataCache.getFileCache(file);
      const tags = (cache && getAllTags(cache)) ?? [];
      if (!tags.some((each) => each.toLowerCase() === tag)) continue;
      const line = contentEl.createEl('p');
      const link = line.createEl('a', { text: file.basename, href: '#' });
      link.addEventListener('click', (event) => {
        event.preventDefault();
        void app.workspace.openLinkText(file.path, '');
      });
    }
  }
}
