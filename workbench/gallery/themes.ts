/** Body classes of each theme. Two themes are sets of variables taken from community themes. */
export const THEMES: Readonly<Record<string, readonly string[]>> = {
  light: ['theme-light'],
  dark: ['theme-dark'],
  storybook: ['theme-light', 'storybook'],
  terminal: ['theme-dark', 'terminal'],
};
