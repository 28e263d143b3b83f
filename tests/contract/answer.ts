/** Asks one contract question of the app in which this runs, and removes what the question made. */
import { Plugin, TFolder, type App, type PluginManifest, type WorkspaceLeaf } from 'obsidian';
import type { ContractQuestion, Folder } from './question';

export interface Asking {
  /** The plugin that asks. */
  readonly first: Plugin;
  /** The app as the question sees it. */
  readonly app: App;
  /** Of the plugin that is loaded for the question. */
  readonly manifest: PluginManifest;
  readonly folder: Folder;
  /** Path of the folder that the question has for itself; `/` for the whole vault. */
  readonly root: string;
}

/** The question's folder is emptied before and after. */
export async function answerOf(question: ContractQuestion, asking: Asking): Promise<unknown> {
  const { first, app, manifest, folder } = asking;
  await empty(asking);
  const plugin = new Guest(first.app, manifest);
  const leaves = leavesOf(first.app);
  plugin.load();
  try {
    const answer = await question.ask({ app, plugin, folder, first });
    // Copied, because the cleanup below may change the answer's objects.
    return JSON.parse(JSON.stringify(answer ?? null)) as unknown;
  } finally {
    for (const leaf of leavesOf(first.app)) if (!leaves.includes(leaf)) leaf.detach();
    plugin.unload();
    await empty(asking);
  }
}

class Guest extends Plugin {}

function leavesOf({ workspace }: App): WorkspaceLeaf[] {
  const leaves: WorkspaceLeaf[] = [];
  workspace.iterateAllLeaves((leaf) => void leaves.push(leaf));
  return leaves;
}

/** Deletes through the app where possible, so that no file event arrives later. */
async function empty({ first, manifest, folder, root }: Asking): Promise<void> {
  const { vault } = first.app;
  const own = vault.getAbstractFileByPath(root);
  for (const file of own instanceof TFolder ? [...own.children] : []) {
    // If the file is already gone from the folder, the failed attempt removes it from the index.
    await vault.delete(file, true).catch(() => undefined);
  }
  const left = new Set((await folder.list()).map((path) => path.split('/')[0] ?? ''));
  for (const name of left) await folder.remove(name);
  await folder.remove(`${manifest.dir}/data.json`);
}
