/** Light or dark theme: follows the system until the user chooses one. */
const KEY = 'workbench-theme';

export function applyTheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  set(localStorage.getItem(KEY) ?? (system.matches ? 'dark' : 'light'));
  system.addEventListener('change', ({ matches }) => {
    if (localStorage.getItem(KEY) === null) set(matches ? 'dark' : 'light');
  });
}

export function isDark(): boolean {
  return document.body.hasClass('theme-dark');
}

export function toggleTheme(): void {
  const next = isDark() ? 'light' : 'dark';
  localStorage.setItem(KEY, next);
  set(next);
}

function set(theme: string): void {
  document.body.toggleClass('theme-dark', theme === 'dark');
  document.body.toggleClass('theme-light', theme !== 'dark');
  const { app } = globalThis as { app?: { workspace: { trigger(name: string): void } } };
  app?.workspace.trigger('css-change');
}
