/** What the page needs to know about this run. */
export interface Session {
  /** Absolute path of the vault folder. */
  readonly base: string;
  readonly configDir: string;
  /** The plugin in the vault's configuration folder. */
  readonly pluginId: string;
  /** Settings for this run only, which are not saved. */
  readonly settings: Record<string, unknown>;
  /** Description of the model, for the bar at the top of the page. */
  readonly model: string;
  readonly hasStandIn: boolean;
  readonly hasPretendSmartHole: boolean;
  readonly platform: 'win32' | 'darwin' | 'linux';
}

/** The session with its secrets, as the page receives it. */
export interface OpenedSession extends Session {
  readonly secrets: Record<string, string>;
}
