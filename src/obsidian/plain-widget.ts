/** A widget of plain elements. */
import type { Agent } from '#ports/agent';
import type { MountEdit } from './review-widgets';

export function plainWidget(agent: Agent): MountEdit {
  return async (element, { note, block }) => {
    const box = element.createDiv('parley-plain-edit');
    if (block.before) box.createEl('del', { text: block.before });
    if (block.after) box.createEl('ins', { text: block.after });
    const buttons = box.createDiv();
    const choice = { proposal: block.id, note };
    buttons
      .createEl('button', { text: 'Accept' })
      .addEventListener('click', () => void agent.accept(choice));
    buttons
      .createEl('button', { text: 'Reject' })
      .addEventListener('click', () => void agent.reject(choice));
    return { edit: () => undefined, close: () => box.remove() };
  };
}
