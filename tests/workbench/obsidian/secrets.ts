import { SecretStorage, type App } from 'obsidian-test-mocks/obsidian';

const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Keeps secrets in memory only; they are never written to the vault. */
export class HostSecrets extends SecretStorage {
  constructor(app: App) {
    super(app);
  }

  override setSecret(id: string, secret: string): void {
    if (!NAME.test(id)) {
      throw new Error(`Invalid secret ID "${id}": lowercase letters, digits and dashes only.`);
    }
    super.setSecret(id, secret);
  }
}
