/** Each theme by the classes of the body. Two are sets of variables as other people's themes have them. */
export const THEMES: Readonly<Record<string, readonly string[]>> = {
  light: ['theme-light'],
  dark: ['theme-dark'],
  storybook: ['theme-light', 'storybook'],
  terminal: ['theme-dark', 'terminal'],
};
