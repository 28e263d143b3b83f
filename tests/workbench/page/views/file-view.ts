/** Shows pictures; for other files that are not text, only the name. */
import { ItemView, type TFile, type WorkspaceLeaf } from 'obsidian-test-mocks/obsidian';

export const ANY_FILE = 'workbench-file';

export function addressOf(path: string): string {
  return `/api/file/${path.split('/').map(encodeURIComponent).join('/')}`;
}

export class AnyFileView extends ItemView {
  file: TFile | null = null;

  constructor(leaf: WorkspaceLeaf) {
    super(leaf);
  }

  override getViewType(): string {
    return ANY_FILE;
  }

  override getDisplayText(): string {
    return this.file?.name ?? 'File';
  }

  override getIcon(): string {
    return 'file';
  }

  override getState(): Record<string, unknown> {
    return { file: this.file?.path ?? null };
  }

  override async setState(state: unknown): Promise<void> {
    const { file } = (state ?? {}) as { file?: string };
    this.file = file === undefined ? null : this.app.vault.getFileByPath(file);
    this.contentEl.empty();
    if (!this.file) return;
    const { extension, name, path } = this.file;
    if (/^(png|jpe?g|gif|svg|webp)$/i.test(extension)) {
      const address = addressOf(path);
      this.contentEl.createEl('img', { cls: 'file-picture', attr: { src: address, alt: name } });
    } else {
      this.contentEl.createDiv({ cls: 'pane-empty', text: `${name} is shown by Obsidian only.` });
    }
  }
}
