import { FileSystemAdapter, type TAbstractFile } from 'obsidian';
import { errorOf, type ContractQuestion } from '../question';

export const adapterQuestions: readonly ContractQuestion[] = [
  {
    name: 'the desktop adapter is a FileSystemAdapter that knows the vault’s folder',
    about: ['Vault.adapter', 'FileSystemAdapter', 'FileSystemAdapter.getBasePath'],
    async ask({ app, folder }) {
      const { adapter } = app.vault;
      return adapter instanceof FileSystemAdapter && adapter.getBasePath() === folder.base;
    },
    answer: true,
  },
  {
    name: 'a file with a decomposed name has a composed path, and getFullPath leads to it',
    about: ['FileSystemAdapter.getFullPath'],
    needsNode: true,
    async ask({ app: { vault }, plugin, folder }) {
      const adapter = vault.adapter as FileSystemAdapter;
      const name = 'Übung'.normalize('NFD');
      const path = `${name}/${name}.md`.normalize('NFC');
      const found = new Promise<string>((resolve) => {
        const tell = (file: TAbstractFile) =>
          file.name.normalize('NFD') === `${name}.md` && resolve(file.path);
        plugin.registerEvent(vault.on('create', tell));
      });
      await folder.write(`${name}/${name}.md`, 'one');
      const full = adapter.getFullPath(path).replaceAll('\\', '/');
      const isReal = full.endsWith(`/${name}/${name}.md`);
      return [await found, isReal, await adapter.read(path)];
    },
    answer: ['Übung/Übung.md', true, 'one'],
  },
  {
    name: 'exists finds files and folders, including hidden ones',
    about: ['DataAdapter.exists'],
    async ask({ app, folder }) {
      await folder.write('a/B.md', '');
      await folder.write('.hidden/.env', '');
      const paths = ['a', 'a/B.md', '.hidden', '.hidden/.env', 'none', 'a/none.md', 'a/B.md/x'];
      const found = await Promise.all(paths.map((path) => app.vault.adapter.exists(path)));
      return paths.filter((_, index) => found[index]);
    },
    answer: ['a', 'a/B.md', '.hidden', '.hidden/.env'],
  },
  {
    name: 'read returns the text of a file unchanged, including a hidden one',
    about: ['DataAdapter.read'],
    async ask({ app, folder }) {
      await folder.write('.hidden/A', '\uFEFFé\r\n');
      return app.vault.adapter.read('.hidden/A');
    },
    answer: '\uFEFFé\r\n',
  },
  {
    name: 'read fails for a missing file (observed)',
    about: ['DataAdapter.read'],
    ask: ({ app }) => errorOf(app.vault.adapter.read('none')),
    answer: 'ENOENT',
  },
  {
    name: 'stat returns type and size in bytes, and null for a missing file',
    about: ['DataAdapter.stat', 'Stat.size', 'Stat.type'],
    async ask({ app, folder }) {
      await folder.write('.hidden/A', 'é\n');
      const { adapter } = app.vault;
      const file = await adapter.stat('.hidden/A');
      const type = (await adapter.stat('.hidden'))?.type;
      return [file?.size, file?.type, type, await adapter.stat('none')];
    },
    answer: [3, 'file', 'folder', null],
  },
  {
    name: 'stat has the time at which a file or folder was created, in milliseconds',
    about: ['Stat.ctime'],
    async ask({ app, folder }) {
      const before = Date.now();
      await folder.write('a/B.md', '');
      const times = await Promise.all(
        ['a', 'a/B.md', '/'].map(async (path) => (await app.vault.adapter.stat(path))?.ctime ?? 0),
      );
      return times.map((time) => time > 0 && time < before + 60_000);
    },
    answer: [true, true, true],
  },
  {
    name: 'write creates a file or overwrites an existing one',
    about: ['DataAdapter.write'],
    async ask({ app, folder }) {
      const { adapter } = app.vault;
      await adapter.write('A.md', 'a longer text');
      const first = await folder.read('A.md');
      await adapter.write('A.md', 'short');
      return [first, await folder.read('A.md')];
    },
    answer: ['a longer text', 'short'],
  },
  {
    name: 'readBinary returns every byte, also in hidden folders',
    about: ['DataAdapter.readBinary'],
    async ask({ app }) {
      const { adapter } = app.vault;
      await adapter.mkdir('.a');
      await adapter.writeBinary('.a/b', new ArrayBuffer(9));
      await adapter.writeBinary('.a/b', Uint8Array.of(0, 0xff, 0xfe, 13, 10).buffer);
      return [...new Uint8Array(await adapter.readBinary('.a/b'))];
    },
    answer: [0, 0xff, 0xfe, 13, 10],
  },
  {
    name: 'write fails if the parent folder is missing (observed)',
    about: ['DataAdapter.write'],
    async ask({ app, folder }) {
      return [await errorOf(app.vault.adapter.write('none/A.md', '')), await folder.list()];
    },
    answer: ['ENOENT', []],
  },
  {
    name: 'a visible file is in the vault’s index when write resolves (observed)',
    about: ['DataAdapter.write'],
    async ask({ app: { vault } }) {
      await vault.adapter.write('A.md', 'one');
      return vault.getFileByPath('A.md')?.stat.size;
    },
    answer: 3,
  },
  {
    name: 'list returns the full paths of direct children, including hidden ones',
    about: ['DataAdapter.list', 'ListedFiles.files', 'ListedFiles.folders'],
    async ask({ app, folder }) {
      await folder.write('.a/one', '');
      await folder.write('.a/.two', '');
      await folder.write('.a/b/three', '');
      const { files, folders } = await app.vault.adapter.list('.a');
      return [files.sort(), folders];
    },
    answer: [['.a/.two', '.a/one'], ['.a/b']],
  },
  {
    name: 'rename moves a file with its text',
    about: ['DataAdapter.rename'],
    async ask({ app, folder }) {
      await folder.write('.a/one.new', 'text');
      await app.vault.adapter.rename('.a/one.new', '.a/one');
      return [await folder.list(), await folder.read('.a/one')];
    },
    answer: [['.a/one'], 'text'],
  },
  {
    name: 'rename rejects a taken name and keeps both files (observed)',
    about: ['DataAdapter.rename'],
    async ask({ app, folder }) {
      await folder.write('.a/one.new', 'new');
      await folder.write('.a/one', 'old');
      const refused = await errorOf(app.vault.adapter.rename('.a/one.new', '.a/one'));
      return [refused, await folder.read('.a/one.new'), await folder.read('.a/one')];
    },
    answer: ['already exists', 'new', 'old'],
  },
  {
    name: 'remove deletes a file permanently',
    about: ['DataAdapter.remove'],
    async ask({ app, folder }) {
      await folder.write('.a/one', '');
      await app.vault.adapter.remove('.a/one');
      return folder.list();
    },
    answer: ['.a/'],
  },
  {
    name: 'rmdir with `recursive` deletes a folder and its contents permanently',
    about: ['DataAdapter.rmdir'],
    async ask({ app, folder }) {
      await folder.write('.a/b/one', '');
      await folder.write('.a/two', '');
      await app.vault.adapter.rmdir('.a/b', true);
      return folder.list();
    },
    answer: ['.a/two'],
  },
  {
    name: 'remove fails for a missing file (observed)',
    about: ['DataAdapter.remove'],
    ask: ({ app }) => errorOf(app.vault.adapter.remove('none')),
    answer: 'ENOENT',
  },
];
