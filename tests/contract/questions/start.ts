import { Plugin } from 'obsidian';
import type { ContractQuestion } from '../question';

export const startQuestions: readonly ContractQuestion[] = [
  {
    name: 'onload is awaited, then create is triggered for every file, then the layout is ready',
    about: ['Plugin', 'Plugin.onload', "Vault.on('create')", 'Workspace.onLayoutReady'],
    ask: async ({ first }) => first instanceof StartRecorder && first.seen,
    answer: ['onload', 'onload is over', 'create First.md', 'ready with First.md'],
  },
  {
    name: 'onLayoutReady calls back immediately if the layout is ready',
    about: ['Workspace.onLayoutReady'],
    async ask({ app }) {
      let called = false;
      app.workspace.onLayoutReady(() => (called = true));
      return called;
    },
    answer: true,
  },
];

/** Records what the plugin sees while the app starts, in a vault with one note, `First.md`. */
export abstract class StartRecorder extends Plugin {
  readonly seen: string[] = [];

  override async onload(): Promise<void> {
    const { vault, workspace } = this.app;
    this.seen.push('onload');
    const ref = vault.on('create', ({ path }) => this.seen.push(`create ${path}`));
    workspace.onLayoutReady(() => {
      vault.offref(ref);
      const paths = vault.getFiles().map(({ path }) => path);
      this.seen.push(`ready with ${paths.join(' ')}`);
    });
    await new Promise((resolve) => window.setTimeout(resolve));
    this.seen.push('onload is over');
  }
}
