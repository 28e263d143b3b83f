/** Where the person has what is deleted go. */
import type { App } from 'obsidian';
import type { Notes } from '#ports/notes';

/** The app keeps this in a setting that its published types do not show. */
interface WithConfig {
  getConfig?(key: string): unknown;
}

/** Where it can't be read, all but the vault's own trash: then the ledger keeps what goes. */
export function trashGoes(app: App): ReturnType<Notes['trashGoes']> {
  const option = (app.vault as WithConfig).getConfig?.('trashOption');
  if (option === 'local') return 'vault';
  return option === 'none' ? 'nowhere' : 'system';
}
