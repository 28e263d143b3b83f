/** Text while the plugin starts, and when it could not. */
export const starting = 'Parley is starting…';
export const notStarted = 'Parley could not start.';
export const notStartedStep = 'Try again. If it happens again, report it with the text below.';
export const keychainUnreadable = (error: string) =>
  `The system’s keychain could not be read, so Parley has no API keys. Unlock it, then reload Obsidian. (${error})`;
export const noDeviceKey =
  'The system’s keychain is locked or missing, so Parley cannot tell your earlier requests from files that others put into the vault. It asks before it runs them.';
export const keychainNotWritable = (error: string) =>
  `The system’s keychain could not be written. Unlock it, then try again. (${error})`;
