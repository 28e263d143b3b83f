/** Settings of what the agent knows about the vault: its organization, and instructions. */
import * as t from '#messages/settings-messages';
import type { Agent } from '#ports/app/agent';
import { GeneratedText } from './generated-text';
import { problemOf, type SaveSetting, type SettingRow } from './setting-rows';

export class VaultSettings {
  readonly #description: GeneratedText;

  /** @param changed called when the rows have changed */
  constructor(agent: Pick<Agent, 'settings'>, save: SaveSetting, changed: () => void) {
    this.#description = new GeneratedText({
      setting: 'vaultOrganization',
      verb: t.describeVaultButton,
      label: t.draft,
      save,
      make: () => agent.settings.describeVault(),
      changed,
    });
  }

  organization(): SettingRow[] {
    return [
      {
        name: t.organizationText,
        desc: t.organizationTextDetail,
        aliases: ['folders', 'structure'],
        control: {
          type: 'textarea',
          key: 'vaultOrganization',
          rows: 14,
          validate: problemOf('vaultOrganization'),
        },
      },
      {
        name: t.describeVault,
        desc: t.describeVaultDetail,
        aliases: ['generate', 'folders', 'structure'],
        render: (setting) => this.#description.render(setting),
      },
    ];
  }

  instructions(): SettingRow[] {
    return [
      {
        name: t.instructionsText,
        desc: t.instructionsTextDetail,
        aliases: ['system prompt', 'AGENTS.md', 'remember'],
        control: {
          type: 'textarea',
          key: 'instructions',
          rows: 14,
          validate: problemOf('instructions'),
        },
      },
    ];
  }
}
