import { Modal, Setting, type App } from 'obsidian-test-mocks/obsidian';

/** Resolves with null if the user cancels. */
export function askForName(app: App, title: string, before: string): Promise<string | null> {
  return new Promise((resolve) => {
    const modal = Modal.create__(app);
    let name = before;
    let answer: string | null = null;
    const give = (): void => {
      answer = name.trim() || null;
      modal.close();
    };
    modal.setTitle(title);
    modal.setCloseCallback(() => resolve(answer));
    Setting.create__(modal.contentEl)
      .setName('Name')
      .addText((text) => {
        text.setValue(before).onChange((value) => (name = value));
        text.inputEl.addEventListener('keydown', ({ key }) => {
          if (key === 'Enter') give();
        });
      });
    Setting.create__(modal.contentEl).addButton((button) =>
      button.setButtonText(title.replace('…', '')).setCta().onClick(give),
    );
    modal.open();
  });
}
