/** A plugin that asks the host it runs in. Built as any plugin is, so that the host evaluates it as it would ours. */
import { Plugin, type WorkspaceLeaf } from 'obsidian';
import type { Folder } from './question';
import { QUESTIONS } from './questions';
import { Beginner } from './questions/start';

export default class Asker extends Beginner {
  /** The answer to the question of that name; leaves the host as it was. */
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
      // As it is now: what is put away afterwards must not change it.
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

  /** Through the app where it can, so that nothing is still to be noticed. */
  async #empty(folder: Folder): Promise<void> {
    const { vault } = this.app;
    for (const file of [...vault.getRoot().children]) {
      // What the folder has lost already is forgotten by the attempt.
      await vault.delete(file, true).catch(() => undefined);
    }
    const left = new Set((await folder.list()).map((path) => path.split('/')[0] ?? ''));
    for (const name of left) await folder.remove(name);
    await folder.remove(`${this.manifest.dir}/data.json`);
  }
}

class Guest extends Plugin {}
