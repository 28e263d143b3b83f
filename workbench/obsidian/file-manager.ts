import type { DataWriteOptions } from 'obsidian';
import {
  FileManager,
  TFile,
  TFolder,
  Vault,
  type App,
  type TAbstractFile,
} from 'obsidian-test-mocks/obsidian';
import { linksAround, updateLinks } from './link-update';
import { getFrontMatterInfo, parseYaml, stringifyYaml } from './metadata/front-matter';
import type { FolderMetadataCache } from './metadata/metadata-cache';
import { normalizePath } from './paths';
import type { FolderVault } from './vault';

export class FolderFileManager extends FileManager {
  readonly #vault: FolderVault;
  readonly #metadata: () => FolderMetadataCache;

  constructor(app: App, vault: FolderVault, metadata: () => FolderMetadataCache) {
    super(app);
    this.#vault = vault;
    this.#metadata = metadata;
  }

  /** Updates links without asking, as Obsidian does with "Automatically update internal links". */
  override async renameFile(file: TAbstractFile, newPath: string): Promise<void> {
    const metadata = this.#metadata();
    const before = linksAround(filesIn(file), this.#vault, metadata);
    await this.#vault.rename(file, normalizePath(newPath));
    await updateLinks(before, this.#vault, metadata);
  }

  override async trashFile(file: TAbstractFile): Promise<void> {
    const option = this.#vault.getConfig('trashOption');
    if (option === 'none') await this.#vault.delete(file, true);
    else await this.#vault.trash(file, option === 'system');
  }

  override async processFrontMatter(
    file: TFile,
    change: (frontmatter: Record<string, unknown>) => void,
    options?: DataWriteOptions,
  ): Promise<void> {
    await this.#vault.process(
      file,
      (text) => {
        const info = getFrontMatterInfo(text);
        const before: unknown = info.exists ? parseYaml(info.frontmatter) : null;
        const frontmatter = isRecord(before) ? before : {};
        change(frontmatter);
        const body = text.slice(info.contentStart);
        if (Object.keys(frontmatter).length === 0) return info.exists ? body : text;
        return `---\n${stringifyYaml(frontmatter)}---\n${body}`;
      },
      options,
    );
  }

  override generateMarkdownLink(file: TFile, sourcePath: string, subpath = '', alias = ''): string {
    const embed = file.extension === 'md' ? '' : '!';
    const metadata = this.#metadata();
    if (this.#vault.getConfig('useMarkdownLinks') === true) {
      const path = encodeURI(metadata.fileToLinktext(file, sourcePath, false) + subpath);
      return `${embed}[${alias || file.basename}](${path})`;
    }
    const own = file.path === sourcePath && subpath !== '';
    const link = (own ? '' : metadata.fileToLinktext(file, sourcePath, true)) + subpath;
    return `${embed}[[${link}${alias && alias !== link ? `|${alias}` : ''}]]`;
  }

  override getNewFileParent(sourcePath: string): TFolder {
    const location = this.#vault.getConfig('newFileLocation');
    if (location === 'current') {
      const parent = this.#vault.getAbstractFileByPath(sourcePath)?.parent;
      if (parent) return parent;
    }
    if (location === 'folder') {
      const path = normalizePath(String(this.#vault.getConfig('newFileFolderPath')));
      const folder = this.#vault.getFolderByPath(path);
      if (folder) return folder;
    }
    return this.#vault.getRoot();
  }

  override getAvailablePathForAttachment(filename: string, sourcePath = ''): Promise<string> {
    const dot = filename.lastIndexOf('.');
    const [name, extension] =
      dot > 0 ? [filename.slice(0, dot), filename.slice(dot + 1)] : [filename, ''];
    const source = this.#vault.getFileByPath(sourcePath);
    return this.#vault.getAvailablePathForAttachments__(name, extension, source);
  }

  /** Deletes without asking, because there is no dialog. */
  override promptForDeletion(file: TAbstractFile): Promise<void> {
    return this.trashFile(file);
  }
}

function filesIn(file: TAbstractFile): Set<TFile> {
  if (file instanceof TFile) return new Set([file]);
  const files = new Set<TFile>();
  if (file instanceof TFolder) {
    Vault.recurseChildren(file, (child) => {
      if (child instanceof TFile) files.add(child);
    });
  }
  return files;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
