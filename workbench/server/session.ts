/** What the page has to know of the run it belongs to. */
export interface Session {
  /** The vault's folder as the operating system names it. */
  readonly base: string;
  readonly configDir: string;
  /** The plugin that lies in the vault's configuration folder. */
  readonly pluginId: string;
  /** Settings in force for this run, not saved. */
  readonly settings: Record<string, unknown>;
  /** Who answers, in words for the bar on top of the page. */
  readonly model: string;
  readonly hasStandIn: boolean;
  readonly hasPretendSmartHole: boolean;
  readonly platform: 'win32' | 'darwin' | 'linux';
}

/** As the page gets it. */
export interface OpenedSession extends Session {
  readonly secrets: Record<string, string>;
}
