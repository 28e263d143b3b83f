/** Parley as a development build has it: with a command that asks Obsidian the contract questions. */
import { Notice, type FileSystemAdapter } from 'obsidian';
import ParleyPlugin from '../../src/main';
import { nodeFolder } from './folder';
import { askInScratchFolder } from './report';

export default class DevelopmentPlugin extends ParleyPlugin {
  override onload(): void {
    super.onload();
    this.addCommand({
      id: 'ask-contract-questions',
      name: 'Ask Obsidian the contract questions',
      callback: () => void this.#ask(),
    });
  }

  async #ask(): Promise<void> {
    const { vault } = this.app;
    const base = (vault.adapter as FileSystemAdapter).getBasePath();
    try {
      const report = await askInScratchFolder(this, (folder) => ({
        ...nodeFolder(`${base}/${folder}`, vault.configDir),
        base,
      }));
      await navigator.clipboard.writeText(report);
      const [, , result = ''] = report.split('\n');
      new Notice(`${result.slice(2)}. The report is in the clipboard.`, 0);
    } catch (error) {
      new Notice(`The contract questions were not all asked: ${String(error)}`, 0);
    }
  }
}
