/**
 * A plugin that asks its host the contract questions. It is built like any other plugin, so the
 * host loads it as it would load Parley.
 */
import { Plugin, type WorkspaceLeaf } from 'obsidian';
import type { Folder } from './question';
import { QUESTIONS } from './questions';
import { StartRecorder } from './questions/start';

export default class ContractPlugin extends StartRecorder {
  /**
   * Asks the question with this name and returns its answer. The vault is emptied before and after.
   */
  async answer(name: string, folder: Folder): Promise<unknown> {
    const question = QUESTIONS.find((each) => each.name === name);
    if (!question) throw new Error(`There is no question ${JSON.stringify(name)}.`);
    await this.#empty(folder);
    const { app, manifest } = this;
    const plugin = new Guest(app, manifest);
    const leaves = this.#leaves();
    plugin.load();
    try {
      const answer = await question.ask({ app, plugin, folder, first: this });
      // Copied, because the cleanup below may change the answer's objects.
      return JSON.parse(JSON.stringify(answer ?? null)) as unknown;
    } finally {
      for (const leaf of this.#leaves()) if (!leaves.includes(leaf)) leaf.detach();
      plugin.unload();
      await this.#empty(folder);
    }
  }

  #leaves(): WorkspaceLeaf[] {
    const leaves: WorkspaceLeaf[] = [];
    this.app.workspace.iterateAllLeaves((leaf) => void leaves.push(leaf));
    return leaves;
  }

  /** Deletes through the app where possible, so that no file event arrives later. */
  async #empty(folder: Folder): Promise<void> {
    const { vault } = this.app;
    for (const file of [...vault.getRoot().children]) {
      // If the file is already gone from the folder, the failed attempt removes it from the index.
      await vault.delete(file, true).catch(() => undefined);
    }
    const left = new Set((await folder.list()).map((path) => path.split('/')[0] ?? ''));
    for (const name of left) await folder.remove(name);
    await folder.remove(`${this.manifest.dir}/data.json`);
  }
}

class Guest extends Plugin {}
