/** A folder of a vault with other notes, in which a contract question has all of its files. */
import type { App, TAbstractFile } from 'obsidian';
import type { Folder } from './question';

export interface Scratch {
  /**
   * The app itself, except that every path leads into the folder and lists have only what is in it.
   * So a question cannot reach another file.
   */
  readonly app: App;
  readonly folder: Folder;
  /** An answer without the folder in its paths. */
  shorten(answer: unknown): unknown;
  /** Lets nothing be reached any more, for a question that gave no answer in time. */
  close(): void;
}

type Act = (...given: never[]) => unknown;
/** Positions of the arguments of a method that are paths. */
type Paths<Target> = Partial<Record<keyof Target & string, readonly number[]>>;

/** @param outside the folder, past the app */
export function scratchIn(real: App, root: string, outside: Folder): Scratch {
  let isOpen = true;
  const isInside = (path: string) => path.startsWith(`${root}/`);
  const within = (path: string): string => {
    if (!isOpen) throw new Error('The question took too long.');
    if (path === '/' || path === root || isInside(path)) return path;
    return path === '' ? root : `${root}/${path}`;
  };
  const relative = (path: string) => {
    const full = within(path);
    return full === root ? '' : full.slice(root.length + 1);
  };

  /** The object itself but for some members, and for paths in arguments. */
  function moved<Target extends object>(
    target: Target,
    paths: Paths<Target>,
    own: Partial<Record<keyof Target, unknown>> = {},
  ): Target {
    return new Proxy(target, {
      get(_, key) {
        if (key in own) return own[key as keyof Target];
        const member: unknown = Reflect.get(target, key, target);
        if (typeof member !== 'function') return member;
        const places = paths[key as keyof Target & string] ?? [];
        return (...given: unknown[]) => {
          const moves = given.map((each, at) =>
            places.includes(at) && typeof each === 'string' ? within(each) : each,
          );
          return (member as Act).apply(target, moves as never[]);
        };
      },
    });
  }

  const { vault, fileManager, metadataCache, workspace } = real;
  const listed = <File extends TAbstractFile>(files: File[]) =>
    files.filter(({ path }) => path === '/' || isInside(path));
  const ownLinks = <Links>(links: Record<string, Links>) =>
    Object.fromEntries(Object.entries(links).filter(([path]) => isInside(path)));

  const adapter = moved(
    vault.adapter,
    {
      ...{ read: [0], stat: [0], write: [0], writeBinary: [0], readBinary: [0], append: [0] },
      ...{ mkdir: [0], list: [0], remove: [0], rmdir: [0], rename: [0, 1], getFullPath: [0] },
    },
    {
      exists: (path: string) =>
        vault.adapter.exists(path === vault.configDir ? path : within(path)),
    },
  );
  const ownVault = moved(
    vault,
    {
      ...{ create: [0], createBinary: [0], createFolder: [0], getFileByPath: [0] },
      ...{ getAbstractFileByPath: [0], rename: [1] },
    },
    {
      adapter,
      getFiles: () => listed(vault.getFiles()),
      getMarkdownFiles: () => listed(vault.getMarkdownFiles()),
      getAllLoadedFiles: () => listed(vault.getAllLoadedFiles()),
      getAllFolders: (hasRoot?: boolean) => listed(vault.getAllFolders(hasRoot)),
    },
  );
  const ownMetadata = new Proxy(moved(metadataCache, { getFirstLinkpathDest: [1] }), {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      return key === 'resolvedLinks' || key === 'unresolvedLinks'
        ? ownLinks(member as Record<string, unknown>)
        : member;
    },
  });
  const ownWorkspace = moved(
    workspace,
    {},
    {
      openLinkText: (link: string, source: string, ...rest: [boolean?]) => {
        const [note = '', part] = link.split('#');
        const full = within(note.endsWith('.md') ? note : `${note}.md`);
        const isThere = vault.getFileByPath(full) !== null;
        const whole = part === undefined ? full : `${full}#${part}`;
        return workspace.openLinkText(isThere ? whole : link, within(source), ...rest);
      },
    },
  );

  return {
    app: moved(
      real,
      {},
      {
        ...{ vault: ownVault, metadataCache: ownMetadata, workspace: ownWorkspace },
        fileManager: moved(fileManager, { renameFile: [1], generateMarkdownLink: [1] }),
      },
    ),
    folder: {
      base: outside.base,
      read: (path) => outside.read(relative(path)),
      write: (path, text) => outside.write(relative(path), text),
      remove: (path) => outside.remove(relative(path)),
      list: () => outside.list(),
    },
    shorten: (answer) =>
      JSON.parse(JSON.stringify(answer ?? null).replaceAll(`${root}/`, '')) as unknown,
    close: () => (isOpen = false),
  };
}
