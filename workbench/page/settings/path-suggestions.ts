import type { AbstractTextComponent } from 'obsidian-test-mocks/obsidian';

const MAX_SUGGESTIONS = 50;
let made = 0;

/** Suggests vault paths below a field, through the browser's `datalist`. */
export function suggestPaths(
  { inputEl }: AbstractTextComponent<HTMLInputElement>,
  paths: () => string[],
): void {
  const list = createEl('datalist', { attr: { id: `paths-${++made}` } });
  inputEl.after(list);
  inputEl.setAttribute('list', list.id);
  inputEl.addEventListener('focus', () => {
    list.replaceChildren(
      ...paths()
        .slice(0, MAX_SUGGESTIONS)
        .map((path) => new Option(path, path)),
    );
  });
}
