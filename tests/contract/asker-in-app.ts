/** The asking plugin for Obsidian itself, where it reads the vault's folder through Node. */
import type { FileSystemAdapter } from 'obsidian';
import ContractPlugin from './asker';
import { nodeFolder } from './folder';
import { QUESTIONS } from './questions';

export default class InAppContractPlugin extends ContractPlugin {
  names(): string[] {
    return QUESTIONS.map(({ name }) => name);
  }

  /** What this app answers, and what it should. An error counts as an answer. */
  async answerHere(name: string): Promise<{ given: unknown; expected: unknown }> {
    const { vault } = this.app;
    const base = (vault.adapter as FileSystemAdapter).getBasePath();
    const expected = QUESTIONS.find((each) => each.name === name)?.answer;
    const given = await this.answer(name, nodeFolder(base, vault.configDir)).catch(
      (error: unknown) => `threw: ${String(error)}`,
    );
    return { given, expected };
  }
}
