/**
 * A plugin that asks its host the contract questions. It is built like any other plugin, so the
 * host loads it as it would load Parley.
 */
import { answerOf } from './answer';
import type { Folder } from './question';
import { QUESTIONS } from './questions';
import { StartRecorder } from './questions/start';
import { askInScratchFolder } from './report';

export default class ContractPlugin extends StartRecorder {
  /**
   * Asks the question with this name and returns its answer. The vault is emptied before and after.
   */
  async answer(name: string, folder: Folder): Promise<unknown> {
    const question = QUESTIONS.find((each) => each.name === name);
    if (!question) throw new Error(`There is no question ${JSON.stringify(name)}.`);
    const { app, manifest } = this;
    return answerOf(question, { first: this, app, manifest, folder, root: '/' });
  }

  /** Asks in a vault with other notes, as the command of a development build does. */
  report(open: (scratch: string) => Folder): Promise<string> {
    return askInScratchFolder(this, open);
  }
}
