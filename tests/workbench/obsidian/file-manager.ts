import type { CachedMetadata, DataWriteOptions, ReferenceCache } from 'obsidian';
import {
  type App,
  FileManager,
  getLinkpath,
  type TAbstractFile,
  TFile,
  TFolder,
  Vault,
} from 'obsidian-test-mocks/obsidian';
import { nameOf, parentOf } from '../disk/disk';
import { getFrontMatterInfo, parseYaml, stringifyYaml } from './metadata/front-matter';
import { keysOf, referencesOf } from './metadata/link-graph';
import type { FolderMetadataCache } from './metadata/metadata-cache';
import { normalizePath, relativePath } from './paths';
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
    await metadata.clean();
    const moving = filesIn(file);
    const name = file instanceof TFile ? nameOf(normalizePath(newPath)) : null;
    const before = linksAround(moving, name, this.#vault, metadata);
    const paths = new Map([...moving].map((each) => [each.path, each]));
    await this.#vault.rename(file, normalizePath(newPath));
    await updateLinks(before, this.#vault, metadata);
    await updateCanvases(paths, this.#vault);
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

/**
 * A note with the links in it that a move may break, and the files they point to before the move.
 */
interface LinksBefore {
  source: TFile;
  links: { original: string; linkpath: string; target: TFile; offset: number | null }[];
}

/**
 * The links that lead to a file. Those without a name in common with the files that are about to
 * move are left out, because they cannot lead elsewhere afterward.
 *
 * @param name the new name of a single file
 */
function linksAround(
  moving: Set<TFile>,
  name: string | null,
  vault: FolderVault,
  metadata: FolderMetadataCache,
): LinksBefore[] {
  const paths = new Set([...moving].map((file) => file.path));
  const names = new Set(
    [...moving].flatMap((file) => keysOf(file.name)).concat(keysOf(name ?? '')),
  );
  const isNamed = (path: string) => keysOf(nameOf(path)).some((key) => names.has(key));
  const sources = Object.entries(metadata.resolvedLinks)
    .filter(([source, targets]) => paths.has(source) || Object.keys(targets).some(isNamed))
    .map(([source]) => vault.getFileByPath(source))
    .filter((file) => file !== null);

  return sources.map((source) => {
    const cache: CachedMetadata = metadata.getFileCache(source) ?? {};
    const links = referencesOf(cache).flatMap((reference) => {
      const linkpath = getLinkpath(reference.link);
      const target = linkpath && metadata.getFirstLinkpathDest(linkpath, source.path);
      if (!target) return [];
      const offset = (reference as Partial<ReferenceCache>).position?.start.offset ?? null;
      return [{ original: reference.original, linkpath, target, offset }];
    });
    return { source, links };
  });
}

/** Updates links that point elsewhere after the move; does not write notes without such links. */
async function updateLinks(
  before: LinksBefore[],
  vault: FolderVault,
  metadata: FolderMetadataCache,
): Promise<void> {
  for (const { source, links } of before) {
    const broken = links.filter(
      ({ linkpath, target }) => metadata.getFirstLinkpathDest(linkpath, source.path) !== target,
    );
    if (broken.length === 0) continue;
    await vault.process(source, (text) => {
      const inBody = broken.filter(({ offset }) => offset !== null);
      inBody.sort((one, other) => (other.offset ?? 0) - (one.offset ?? 0));
      let mended = text;
      for (const { original, linkpath, target, offset } of inBody) {
        const at = offset ?? 0;
        // The note may have changed since it was parsed; then leave the link alone.
        if (!mended.startsWith(original, at)) continue;
        const link = relink({ original, linkpath, target }, source, metadata);
        mended = mended.slice(0, at) + link + mended.slice(at + original.length);
      }
      for (const { original, linkpath, target, offset } of broken) {
        if (offset !== null) continue;
        const { from, to } = getFrontMatterInfo(mended);
        const link = relink({ original, linkpath, target }, source, metadata);
        mended =
          mended.slice(0, from) +
          mended.slice(from, to).split(original).join(link) +
          mended.slice(to);
      }
      return mended;
    });
  }
}

interface Canvas {
  nodes?: { file?: string }[];
  edges?: object[];
}

/** Updates the cards of canvases that show these files, by their paths before the move. */
async function updateCanvases(
  moved: ReadonlyMap<string, TFile>,
  vault: FolderVault,
): Promise<void> {
  for (const canvas of vault.getFiles().filter(({ extension }) => extension === 'canvas')) {
    const update = (text: string) => {
      const { nodes = [], edges = [] } = JSON.parse(text) as Canvas;
      let isChanged = false;
      for (const node of nodes) {
        const file = node.file === undefined ? undefined : moved.get(node.file);
        if (!file || file.path === node.file) continue;
        node.file = file.path;
        isChanged = true;
      }
      return isChanged ? canvasText(nodes, edges) : text;
    };
    const text = await vault.read(canvas);
    if (isCanvas(text) && update(text) !== text) await vault.process(canvas, update);
  }
}

function isCanvas(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}

/** In the app's own format, whatever the file's was. */
function canvasText(nodes: object[], edges: object[]): string {
  const list = (items: object[]) =>
    items.length === 0
      ? '[]'
      : `[\n${items.map((item) => `\t\t${JSON.stringify(item)}`).join(',\n')}\n\t]`;
  return `{\n\t"nodes":${list(nodes)},\n\t"edges":${list(edges)}\n}`;
}

/**
 * The link with its heading, pointing to the file's new path. Its text becomes the new name if it
 * was the old one; in a wiki link, only after a path.
 */
function relink(
  {
    original,
    linkpath,
    target,
  }: Pick<LinksBefore['links'][number], 'original' | 'linkpath' | 'target'>,
  source: TFile,
  metadata: FolderMetadataCache,
): string {
  const wiki = /^(!?\[\[)([^\]|#]*)((?:#[^\]|]*)?)(\\?\|)?(.*)(\]\])$/s.exec(original);
  if (wiki) {
    const [, open, link = '', part = '', bar, alias = '', close] = wiki;
    const to = metadata.fileToLinktext(target, source.path) + part;
    const isName = link.includes('/') && nameOf(link + part) === alias.trim();
    return `${open}${to}${bar ? bar + (isName ? nameOf(to) : alias) : ''}${close}`;
  }
  const markdown = /^(!?\[)((?:[^[\]\\]|\\.)*)(\]\()(<?)([^)>#\s]*)(.*)$/s.exec(original);
  if (!markdown) return original;
  const [, open, label = '', middle, mark, address = '', rest] = markdown;
  const stem = (path: string) => nameOf(path).replace(/\.[^.]*$/, '');
  const text = label.trim() === stem(linkpath) ? stem(target.path) : label;
  const isRelative = /^\.{1,2}\//.test(address);
  const path = isRelative
    ? dotted(relativePath(parentOf(source.path), target.path))
    : metadata.fileToLinktext(target, source.path, false);
  return `${open}${text}${middle}${mark}${mark ? path : encodeURI(path)}${rest}`;
}

/**
 * Adds `./` to relative links in the same folder or below, because otherwise they are looked up by
 * name.
 */
function dotted(path: string): string {
  return path.startsWith('../') ? path : `./${path}`;
}
