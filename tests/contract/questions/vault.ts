import { TFile, TFolder, type TAbstractFile } from 'obsidian';
import { errorOf, type Host, type ContractQuestion } from '../question';

export const vaultQuestions: readonly ContractQuestion[] = [
  {
    name: 'getMarkdownFiles returns the notes of all folders and no other files',
    about: ['Vault.getMarkdownFiles'],
    async ask({ app: { vault } }) {
      await vault.createFolder('x');
      await vault.create('x/A.md', '');
      await vault.create('B.md', '');
      await vault.create('C.canvas', '{}');
      return vault
        .getMarkdownFiles()
        .map(({ path }) => path)
        .sort();
    },
    answer: ['B.md', 'x/A.md'],
  },
  {
    name: 'getName returns the name of the folder, without the folders above it',
    about: ['Vault.getName'],
    async ask({ app: { vault } }) {
      const name = vault.getName();
      return [name !== '', /[\\/]/.test(name)];
    },
    answer: [true, false],
  },
  {
    name: 'create writes the text, and the file is in the index with its stats when it resolves',
    about: ['Vault.create', 'TFile', 'TFile.stat', 'FileStats.size', 'TAbstractFile.path'],
    async ask({ app: { vault }, folder }) {
      const file = await vault.create('A.md', 'é\n');
      const known = vault.getFileByPath('A.md') === file;
      return [file instanceof TFile, file.path, file.stat.size, known, await folder.read('A.md')];
    },
    answer: [true, 'A.md', 3, true, 'é\n'],
  },
  {
    name: 'create rejects the path of an existing file or folder and leaves it alone (observed)',
    about: ['Vault.create'],
    async ask({ app: { vault }, folder }) {
      await folder.write('Outside.md', 'not noticed yet');
      await vault.create('A.md', 'first');
      await vault.createFolder('B.md');
      const refusals = [
        await errorOf(vault.create('A.md', 'second')),
        await errorOf(vault.create('B.md', 'second')),
        await errorOf(vault.create('Outside.md', 'second')),
      ];
      return [refusals, await folder.read('A.md'), await folder.read('Outside.md')];
    },
    answer: [['already exists', 'already exists', 'already exists'], 'first', 'not noticed yet'],
  },
  {
    name: 'create fails and writes nothing if the parent folder is missing (observed)',
    about: ['Vault.create'],
    async ask({ app: { vault }, folder }) {
      return [await errorOf(vault.create('none/A.md', '')), await folder.list()];
    },
    answer: ['ENOENT', []],
  },
  {
    name: 'createFolder creates the folder and missing parents (observed)',
    about: ['Vault.createFolder', 'TFolder'],
    async ask({ app: { vault }, folder }) {
      const made = await vault.createFolder('a/b');
      const above = vault.getAbstractFileByPath('a') instanceof TFolder;
      return [made instanceof TFolder, made.path, above, await folder.list()];
    },
    answer: [true, 'a/b', true, ['a/b/']],
  },
  {
    name: 'createFolder rejects an existing folder',
    about: ['Vault.createFolder'],
    async ask({ app: { vault } }) {
      await vault.createFolder('a');
      return errorOf(vault.createFolder('a'));
    },
    answer: 'already exists',
  },
  {
    name: 'getFileByPath finds only files, by their exact path',
    about: ['Vault.getFileByPath'],
    async ask({ app: { vault } }) {
      await vault.createFolder('a');
      await vault.create('a/B.md', '');
      const paths = ['a/B.md', 'a/b.md', 'a/B', 'a', 'none.md'];
      return paths.filter((path) => vault.getFileByPath(path) !== null);
    },
    answer: ['a/B.md'],
  },
  {
    name: 'getAbstractFileByPath finds files, folders and the root, and is case-sensitive',
    about: ['Vault.getAbstractFileByPath', 'TFolder', 'TFolder.isRoot'],
    async ask({ app: { vault } }) {
      await vault.createFolder('a');
      await vault.create('a/B.md', '');
      return ['a/B.md', 'a', '/', 'a/b.md', 'A', 'none'].map((path) =>
        kindOf(vault.getAbstractFileByPath(path)),
      );
    },
    answer: ['file', 'folder', 'root', null, null, null],
  },
  {
    name: 'getFiles returns files of every kind, and getAllLoadedFiles also folders and the root',
    about: ['Vault.getFiles', 'Vault.getAllLoadedFiles', 'TFolder.isRoot'],
    async ask({ app: { vault } }) {
      await vault.createFolder('a');
      await vault.create('a/B.md', '');
      await vault.create('c.canvas', '');
      return [pathsOf(vault.getFiles()), vault.getAllLoadedFiles().map(kindOf).sort()];
    },
    answer: [
      ['a/B.md', 'c.canvas'],
      ['file', 'file', 'folder', 'root'],
    ],
  },
  {
    name: 'getAllFolders returns the root only on request',
    about: ['Vault.getAllFolders'],
    async ask({ app: { vault } }) {
      await vault.createFolder('a/b');
      return [pathsOf(vault.getAllFolders()), pathsOf(vault.getAllFolders(true))];
    },
    answer: [
      ['a', 'a/b'],
      ['/', 'a', 'a/b'],
    ],
  },
  {
    name: 'files and folders that start with a dot are not in the index (observed)',
    about: ['Vault.getAllLoadedFiles', 'Vault.getAbstractFileByPath'],
    async ask({ app: { vault } }) {
      await vault.adapter.mkdir('.hidden');
      await vault.adapter.write('.hidden/A.md', 'text');
      await vault.adapter.write('.env', 'text');
      return [
        pathsOf(vault.getAllLoadedFiles()),
        ['.hidden', '.hidden/A.md', '.env'].map((path) => vault.getAbstractFileByPath(path)),
      ];
    },
    answer: [['/'], [null, null, null]],
  },
  {
    name: 'a file has its name with and without the extension (observed)',
    about: ['TAbstractFile.name', 'TFile.basename', 'TFile.extension'],
    async ask({ app: { vault } }) {
      const files = ['A note.md', 'v1.2 plan.md', 'README', 'Pic.PNG'];
      return Promise.all(
        files.map(async (path) => {
          const { name, basename, extension } = await vault.create(path, '');
          return [name, basename, extension];
        }),
      );
    },
    answer: [
      ['A note.md', 'A note', 'md'],
      ['v1.2 plan.md', 'v1.2 plan', 'md'],
      ['README', 'README', ''],
      ['Pic.PNG', 'Pic', 'PNG'],
    ],
  },
  {
    name: 'stats are in milliseconds and bytes, and the same object stays current',
    about: ['TFile.stat', 'FileStats.ctime', 'FileStats.mtime', 'FileStats.size'],
    async ask({ app: { vault } }) {
      const before = Date.now();
      const file = await vault.create('A.md', 'one');
      const { stat } = file;
      const { ctime, mtime } = stat;
      await vault.process(file, () => 'longer');
      // File systems round timestamps.
      const isNow = [ctime, mtime, stat.mtime].map((time) => Math.abs(time - before) < 60_000);
      return [isNow, stat.mtime >= mtime, stat.size];
    },
    answer: [[true, true, true], true, 6],
  },
  {
    name: 'read returns the text on disk even before the app notices a change',
    about: ['Vault.read'],
    async ask({ app: { vault }, folder }) {
      const file = await vault.create('A.md', 'one');
      await vault.read(file);
      await folder.write('A.md', '\uFEFFtwo\r\n');
      return vault.read(file);
    },
    answer: '\uFEFFtwo\r\n',
  },
  {
    name: 'read, readBinary and process fail for a file that is gone (observed)',
    about: ['Vault.read', 'Vault.readBinary', 'Vault.process'],
    async ask({ app: { vault }, folder }) {
      const file = await vault.create('A.md', 'one');
      await folder.remove('A.md');
      const acts = [vault.read(file), vault.readBinary(file), vault.process(file, () => 'two')];
      return [await Promise.all(acts.map(errorOf)), await folder.list()];
    },
    answer: [['ENOENT', 'ENOENT', 'ENOENT'], []],
  },
  {
    name: 'readBinary returns every byte unchanged',
    about: ['Vault.readBinary'],
    async ask({ app: { vault } }) {
      const file = await vault.createBinary('a.bin', Uint8Array.of(0, 0xff, 0xfe, 13, 10).buffer);
      const bytes = await vault.readBinary(file);
      return [Object.prototype.toString.call(bytes), [...new Uint8Array(bytes)]];
    },
    answer: ['[object ArrayBuffer]', [0, 0xff, 0xfe, 13, 10]],
  },
  {
    name: 'createBinary adds the file to the index and never overwrites (observed)',
    about: ['Vault.createBinary'],
    async ask({ app: { vault }, folder }) {
      const bytes = Uint8Array.of(65, 66).buffer;
      await vault.createBinary('a.bin', bytes);
      const known = vault.getFileByPath('a.bin')?.path;
      const refused = await errorOf(vault.createBinary('a.bin', new ArrayBuffer(1)));
      return [known, refused, await folder.read('a.bin')];
    },
    answer: ['a.bin', 'already exists', 'AB'],
  },
  {
    name: 'modifyBinary replaces the bytes of a file',
    about: ['Vault.modifyBinary'],
    async ask({ app: { vault }, folder }) {
      const file = await vault.createBinary('a.bin', Uint8Array.of(65, 66, 67).buffer);
      await vault.modifyBinary(file, Uint8Array.of(68).buffer);
      return folder.read('a.bin');
    },
    answer: 'D',
  },
  {
    name: 'process passes the text on disk, writes the result and returns it',
    about: ['Vault.process'],
    async ask({ app: { vault }, folder }) {
      const file = await vault.create('A.md', 'one');
      await folder.write('A.md', 'two');
      const given: string[] = [];
      const written = await vault.process(file, (text) => {
        given.push(text);
        return `${text} three`;
      });
      return [given, written, await folder.read('A.md')];
    },
    answer: [['two'], 'two three', 'two three'],
  },
  {
    name: 'process is atomic, so concurrent calls lose no change',
    about: ['Vault.process'],
    async ask({ app: { vault }, folder }) {
      const file = await vault.create('A.md', '');
      const add = (letter: string) => vault.process(file, (text) => text + letter);
      await Promise.all([...'abcdefgh'].map(add));
      return [...((await folder.read('A.md')) ?? '')].sort().join('');
    },
    answer: 'abcdefgh',
  },
  {
    name: 'process fails with the error of its function and writes nothing',
    about: ['Vault.process'],
    async ask(host) {
      const { vault } = host.app;
      const file = await vault.create('A.md', 'one');
      const told = changesOf(host);
      const failed = await errorOf(
        vault.process(file, () => {
          throw new Error('no');
        }),
      );
      return [failed, await host.folder.read('A.md'), told];
    },
    answer: ['no', 'one', []],
  },
  {
    name: 'process triggers modify once, before it resolves (observed)',
    about: ['Vault.process', "Vault.on('modify')"],
    async ask({ app: { vault }, plugin }) {
      const file = await vault.create('A.md', 'one');
      const told: boolean[] = [];
      plugin.registerEvent(vault.on('modify', (changed) => told.push(changed === file)));
      await vault.process(file, () => 'two');
      return told;
    },
    answer: [true],
  },
  {
    name: 'create, modify, delete and rename are triggered with the file, and rename with the old path',
    about: ["Vault.on('create')", "Vault.on('modify')", "Vault.on('delete')", "Vault.on('rename')"],
    async ask(host) {
      const { vault } = host.app;
      const told = changesOf(host);
      const file = await vault.create('A.md', 'one');
      await vault.modify(file, 'two');
      await vault.rename(file, 'B.md');
      await vault.delete(file);
      return told;
    },
    answer: ['create A.md', 'modify A.md', 'rename A.md B.md', 'delete B.md'],
  },
  {
    name: 'rename keeps the file object and updates its path and names',
    about: ["Vault.on('rename')", 'TAbstractFile.path', 'TFile.basename', 'TFile.extension'],
    async ask({ app: { vault }, plugin }) {
      const file = await vault.create('A.md', '');
      await vault.createFolder('x');
      const same: boolean[] = [];
      plugin.registerEvent(vault.on('rename', (renamed) => same.push(renamed === file)));
      await vault.rename(file, 'x/B.txt');
      const { path, name, basename, extension } = file;
      return [same, path, name, basename, extension, vault.getFileByPath('x/B.txt') === file];
    },
    answer: [[true], 'x/B.txt', 'B.txt', 'B', 'txt', true],
  },
  {
    name: 'renaming a folder triggers rename for each of its contents with its old path (observed)',
    about: ["Vault.on('rename')"],
    async ask(host) {
      const { vault } = host.app;
      const folder = await vault.createFolder('a');
      await vault.create('a/B.md', '');
      const told = changesOf(host);
      await vault.rename(folder, 'z');
      return told;
    },
    answer: ['rename a z', 'rename a/B.md z/B.md'],
  },
  {
    name: 'deleting a folder triggers delete for each of its contents (observed)',
    about: ["Vault.on('delete')"],
    async ask(host) {
      const { vault } = host.app;
      const folder = await vault.createFolder('a');
      await vault.create('a/B.md', '');
      const told = changesOf(host);
      await vault.delete(folder, true);
      return told.sort();
    },
    answer: ['delete a', 'delete a/B.md'],
  },
  {
    name: 'changes from outside the app trigger events and update the index (observed)',
    about: ["Vault.on('create')", "Vault.on('modify')", "Vault.on('delete')"],
    async ask({ app: { vault }, plugin, folder }) {
      const size = () => vault.getFileByPath('A.md')?.stat.size ?? null;
      const told: string[] = [];
      let wanted: number | null = 3;
      let reached: () => void = () => undefined;
      const note = (event: string) => () => {
        told.push(event);
        // An event may also report a write that is not complete yet.
        if (size() === wanted) reached();
      };
      for (const ref of [
        vault.on('create', note('create')),
        vault.on('modify', note('modify')),
        vault.on('delete', note('delete')),
      ]) {
        plugin.registerEvent(ref);
      }
      const until = async (next: number | null, act: Promise<void>) => {
        wanted = next;
        await Promise.all([act, new Promise<void>((resolve) => (reached = resolve))]);
      };
      await until(3, folder.write('A.md', 'one'));
      await until(6, folder.write('A.md', 'longer'));
      await until(null, folder.remove('A.md'));
      return [...new Set(told)];
    },
    answer: ['create', 'modify', 'delete'],
  },
  {
    name: 'offref removes one listener and keeps the others',
    about: ['Events.offref', "Vault.on('create')"],
    async ask({ app: { vault }, plugin }) {
      const told: string[] = [];
      const ref = vault.on('create', () => told.push('first'));
      plugin.registerEvent(vault.on('create', () => told.push('second')));
      vault.offref(ref);
      await vault.create('A.png', '');
      return told;
    },
    answer: ['second'],
  },
  {
    name: 'configDir is the folder with the app’s settings',
    about: ['Vault.configDir', 'App.vault', 'Vault.adapter'],
    async ask({ app }) {
      const { adapter, configDir } = app.vault;
      return [configDir, await adapter.exists(configDir)];
    },
    answer: ['.obsidian', true],
  },
];

/** Collects the vault's events from this point, as `name path` or `rename old new`. */
function changesOf({ app: { vault }, plugin }: Host): string[] {
  const told: string[] = [];
  const refs = [
    vault.on('create', ({ path }) => told.push(`create ${path}`)),
    vault.on('modify', ({ path }) => told.push(`modify ${path}`)),
    vault.on('delete', ({ path }) => told.push(`delete ${path}`)),
    vault.on('rename', ({ path }, old) => told.push(`rename ${old} ${path}`)),
  ];
  for (const ref of refs) plugin.registerEvent(ref);
  return told;
}

function pathsOf(files: readonly TAbstractFile[]): string[] {
  return files.map(({ path }) => path).sort();
}

function kindOf(file: TAbstractFile | null): string | null {
  if (file instanceof TFile) return 'file';
  if (!(file instanceof TFolder)) return null;
  return file.isRoot() ? 'root' : 'folder';
}
