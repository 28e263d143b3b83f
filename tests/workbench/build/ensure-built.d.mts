export interface Built {
  /** The folder with the plugin's `main.js`, `manifest.json` and `styles.css`. */
  pluginDir: string;
  /** The headless program, for Node. */
  program: string;
}

export function ensureBuilt(options?: { root?: string; headlessEntry?: string }): Promise<Built>;

export interface BuiltWorkbench {
  pluginDir: string;
  /** The server, for Node. */
  program: string;
  /** The folder with the page. */
  pageDir: string;
  sampleVault: string;
}

export function ensureWorkbench(root?: string): Promise<BuiltWorkbench>;
