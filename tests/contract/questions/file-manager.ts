import type { App } from 'obsidian';
import { createLinked } from '../notes';
import { errorOf, type ContractQuestion } from '../question';

export const fileManagerQuestions: readonly ContractQuestion[] = [
  {
    name: 'getAvailablePathForAttachment returns a free path in the attachment folder',
    about: ['FileManager.getAvailablePathForAttachment'],
    ownVault: 'It depends on a setting of the app.',
    async ask({ app: { vault, fileManager } }) {
      await vault.createBinary('cat.png', new ArrayBuffer(1));
      const free = [];
      for (const name of ['cat.png', 'dog.png'])
        free.push(await fileManager.getAvailablePathForAttachment(name));
      return free;
    },
    answer: ['cat 1.png', 'dog.png'],
  },
  {
    name: 'renameFile moves a file and updates the links to it',
    about: ['App.fileManager', 'FileManager.renameFile'],
    ownVault: 'It changes links, about which the app may ask the user.',
    async ask({ app, folder }) {
      const { vault, fileManager } = app;
      await vault.createFolder('x');
      const file = await vault.create('Old.md', '');
      await createLinked(app, 'A.md', '[[Old]] [[Old#Part|shown]] ![[Old]] [md](Old.md) `[[Old]]`');
      await fileManager.renameFile(file, 'x/New name.md');
      return [file.path, await folder.read('Old.md'), await folder.read('A.md')];
    },
    answer: [
      'x/New name.md',
      null,
      '[[New name]] [[New name#Part|shown]] ![[New name]] [md](New%20name.md) `[[Old]]`',
    ],
  },
  {
    name: 'renameFile renames the text of a link that is the old name, after a path',
    about: ['FileManager.renameFile'],
    ownVault: 'It changes links, about which the app may ask the user.',
    async ask({ app, folder }) {
      await app.vault.createFolder('x');
      const file = await app.vault.create('x/Old.md', '');
      await createLinked(app, 'A.md', '[[x/Old|Old]] [[Old|Old]] [Old](x/Old.md)');
      await app.fileManager.renameFile(file, 'x/New.md');
      return folder.read('A.md');
    },
    answer: '[[New|New]] [[New|Old]] [New](New.md)',
  },
  {
    name: 'renameFile updates links whose name the file takes from another',
    about: ['FileManager.renameFile'],
    ownVault: 'It changes links, about which the app may ask the user.',
    async ask({ app, folder }) {
      await app.vault.createFolder('x');
      await app.vault.createFolder('y');
      await app.vault.create('x/N.md', '');
      const file = await app.vault.create('y/O.md', '');
      await createLinked(app, 'A.md', '[[N]]');
      await app.fileManager.renameFile(file, 'N.md');
      return folder.read('A.md');
    },
    answer: '[[x/N]]',
  },
  {
    name: 'renameFile does not modify notes whose links stay valid',
    about: ['FileManager.renameFile'],
    ownVault: 'It changes links, about which the app may ask the user.',
    async ask({ app, plugin }) {
      await app.vault.createFolder('x');
      const file = await app.vault.create('Old.md', '');
      await createLinked(app, 'A.md', '[[Old]]');
      const told: string[] = [];
      plugin.registerEvent(app.vault.on('modify', ({ path }) => told.push(path)));
      await app.fileManager.renameFile(file, 'x/Old.md');
      return told;
    },
    answer: [],
  },
  {
    name: 'renameFile moves a folder with its contents and updates links into it',
    about: ['FileManager.renameFile'],
    ownVault: 'It changes links, about which the app may ask the user.',
    async ask({ app, folder }) {
      const moved = await app.vault.createFolder('x');
      await app.vault.create('x/B.md', 'b');
      await createLinked(app, 'A.md', '[[x/B]]');
      await app.fileManager.renameFile(moved, 'y');
      return [await folder.read('y/B.md'), await folder.read('A.md')];
    },
    answer: ['b', '[[B]]'],
  },
  {
    name: 'renameFile triggers rename with the old path',
    about: ['FileManager.renameFile', "Vault.on('rename')"],
    async ask({ app, plugin }) {
      const file = await app.vault.create('Old.md', '');
      const told: unknown[] = [];
      plugin.registerEvent(
        app.vault.on('rename', (renamed, old) => told.push([renamed === file, renamed.path, old])),
      );
      await app.fileManager.renameFile(file, 'New.md');
      return told;
    },
    answer: [[true, 'New.md', 'Old.md']],
  },
  {
    name: 'renameFile rejects a taken path and changes nothing (observed)',
    about: ['FileManager.renameFile'],
    async ask({ app, folder }) {
      const file = await app.vault.create('Old.md', 'old');
      await app.vault.create('New.md', 'new');
      await createLinked(app, 'A.md', '[[Old]]');
      const refused = await errorOf(app.fileManager.renameFile(file, 'New.md'));
      const texts = ['Old.md', 'New.md', 'A.md'].map((path) => folder.read(path));
      return [refused, file.path, await Promise.all(texts)];
    },
    answer: ['already exists', 'Old.md', ['old', 'new', '[[Old]]']],
  },
  {
    name: 'trashFile moves files and folders to the vault’s trash if the settings say so',
    about: ['FileManager.trashFile'],
    ownVault: 'It changes settings of the app.',
    ask: ({ app, folder }) =>
      withSettings(app, { trashOption: 'local' }, async () => {
        const file = await app.vault.create('A.md', 'a');
        const made = await app.vault.createFolder('b');
        await app.vault.create('b/C.md', 'c');
        await app.fileManager.trashFile(file);
        await app.fileManager.trashFile(made);
        const known = app.vault.getAllLoadedFiles().map(({ path }) => path);
        return [await folder.list(), known];
      }),
    answer: [['.trash/A.md', '.trash/b/C.md'], ['/']],
  },
  {
    name: 'getConfig returns the user’s setting for deleted files (observed)',
    about: ['Vault.getConfig'],
    ownVault: 'It changes settings of the app.',
    async ask({ app }) {
      const vault = app.vault as { getConfig?(name: string): unknown };
      const set = (trashOption: string) =>
        withSettings(app, { trashOption }, async () => vault.getConfig?.('trashOption'));
      return [vault.getConfig?.('trashOption'), await set('local'), await set('none')];
    },
    answer: ['system', 'local', 'none'],
  },
  {
    name: 'trashFile never overwrites a file in the trash (observed)',
    about: ['FileManager.trashFile'],
    ownVault: 'It changes settings of the app.',
    ask: ({ app, folder }) =>
      withSettings(app, { trashOption: 'local' }, async () => {
        for (const text of ['first', 'second']) {
          await app.fileManager.trashFile(await app.vault.create('A.md', text));
        }
        const texts = (await folder.list()).map((path) => folder.read(path));
        return (await Promise.all(texts)).sort();
      }),
    answer: ['first', 'second'],
  },
  {
    name: 'trashFile deletes permanently if the settings say so',
    about: ['FileManager.trashFile'],
    ownVault: 'It changes settings of the app.',
    ask: ({ app, folder }) =>
      withSettings(app, { trashOption: 'none' }, async () => {
        const made = await app.vault.createFolder('b');
        await app.vault.create('b/C.md', '');
        await app.fileManager.trashFile(made);
        await app.fileManager.trashFile(await app.vault.create('A.md', ''));
        return folder.list();
      }),
    answer: [],
  },
  {
    name: 'trashFile uses the vault’s trash if the system has none',
    about: ['FileManager.trashFile'],
    ownVault: 'It changes settings of the app.',
    ask: ({ app, folder }) =>
      withSettings(app, { trashOption: 'system' }, async () => {
        await app.fileManager.trashFile(await app.vault.create('A.md', 'a'));
        return folder.list();
      }),
    answer: ['.trash/A.md'],
  },
  {
    name: 'trashFile triggers delete',
    about: ['FileManager.trashFile', "Vault.on('delete')"],
    async ask({ app, plugin }) {
      const file = await app.vault.create('A.md', '');
      const told: string[] = [];
      plugin.registerEvent(app.vault.on('delete', ({ path }) => told.push(path)));
      await app.fileManager.trashFile(file);
      return told;
    },
    answer: ['A.md'],
  },
  {
    name: 'getNewFileParent follows the setting for new notes and falls back to the root',
    about: ['FileManager.getNewFileParent'],
    ownVault: 'It changes settings of the app.',
    async ask({ app }) {
      await app.vault.createFolder('x');
      await app.vault.createFolder('New');
      await app.vault.create('x/A.md', '');
      const parents = async (settings: Record<string, string>) =>
        withSettings(app, settings, async () =>
          ['x/A.md', ''].map((path) => app.fileManager.getNewFileParent(path).path),
        );
      return [
        await parents({ newFileLocation: 'root' }),
        await parents({ newFileLocation: 'current' }),
        await parents({ newFileLocation: 'folder', newFileFolderPath: 'New' }),
      ];
    },
    answer: [
      ['/', '/'],
      ['x', '/'],
      ['New', 'New'],
    ],
  },
];

interface Configurable {
  setConfig(name: string, value: unknown): void;
}

/** Runs `act` with these app settings, then resets them to their defaults. */
async function withSettings<Value>(
  app: App,
  settings: Record<string, string>,
  act: () => Promise<Value>,
): Promise<Value> {
  const vault = app.vault as unknown as Configurable;
  for (const [name, value] of Object.entries(settings)) vault.setConfig(name, value);
  try {
    return await act();
  } finally {
    for (const name of Object.keys(settings)) vault.setConfig(name, undefined);
  }
}
