/** Settings of what the agent may see and do. */
import type { SettingDefinitionGroup } from 'obsidian';
import type { EditableScope } from '#model/settings';
import type { HostCommands } from '#ports/ui';
import {
  linesProblem,
  type SettingName,
  numberRow,
  problemOf,
  type SettingRow,
} from './setting-rows';
import { ToolPages, type ToolSettingsAgent, type SaveSetting } from './tool-pages';

const SCOPES: Record<EditableScope, string> = {
  vault: 'All notes',
  context: 'What you attached',
  linked: 'The open note and those it links to',
  current: 'The open note',
};

export class PermissionSettings {
  readonly #agents: ToolPages;

  /** @param changed called when the rows have changed */
  constructor(agent: ToolSettingsAgent, keep: SaveSetting, changed: () => void) {
    this.#agents = new ToolPages(agent, keep, changed);
  }

  /** Loads the current agents and tools. */
  look(): void {
    this.#agents.look();
  }

  groups(): SettingDefinitionGroup<SettingName>[] {
    return [
      { type: 'group', heading: 'Out of sight', items: this.#excluded() },
      { type: 'group', heading: 'What may be edited', items: this.#reach() },
      { type: 'group', heading: 'Agents and their tools', items: this.#agents.items() },
    ];
  }

  #excluded(): SettingRow[] {
    return [
      {
        name: 'Excluded folders',
        desc: 'One a line, such as Journal/Private. For the agent nothing in them exists: it neither reads, finds nor changes it.',
        aliases: ['private', 'hidden', 'ignore', 'secret'],
        control: {
          type: 'textarea',
          key: 'excludedFolders',
          rows: 4,
          validate: linesProblem('excludedFolders'),
        },
      },
      {
        name: 'Excluded tag',
        desc: 'Without #. For the agent notes with this tag, or one below it, do not exist. Left empty, no tag excludes.',
        aliases: ['private', 'hidden', 'ignore', 'secret'],
        control: {
          type: 'text',
          key: 'excludedTag',
          placeholder: 'private',
          validate: problemOf('excludedTag'),
        },
      },
    ];
  }

  #reach(): SettingRow[] {
    return [
      {
        name: 'Editable notes',
        desc: 'Which notes may be edited, moved and deleted. What a conversation created itself always may.',
        aliases: ['scope'],
        control: { type: 'dropdown', key: 'editableScope', options: SCOPES },
      },
      numberRow(
        'contextDepth',
        'Links followed from attached notes',
        'How many links away, from 0 to 3, notes may be whose text is sent with those you attach, nearest first and within the read limits. The agent can still find and read others.',
        ['context', 'scope', 'depth'],
      ),
      {
        name: 'Add',
        desc: 'Insert text, and add properties, tags and links.',
        aliases: ['capability'],
        control: { type: 'toggle', key: 'allowAdd' },
      },
      {
        name: 'Delete or replace',
        desc: 'Every other change of text or properties, and moving and deleting.',
        aliases: ['capability', 'overwrite', 'rename'],
        control: { type: 'toggle', key: 'allowReplace' },
      },
      {
        name: 'Create',
        desc: 'Make notes and folders.',
        aliases: ['capability', 'new'],
        control: { type: 'toggle', key: 'allowCreate' },
      },
      {
        name: 'Navigate',
        desc: 'Open notes, and run commands where you allow any.',
        aliases: ['capability', 'open'],
        control: { type: 'toggle', key: 'allowNavigate' },
      },
    ];
  }
}

export function commandGroup(
  listed: readonly string[],
  host: HostCommands,
): SettingDefinitionGroup<SettingName> {
  const names = new Map(host.all().map(({ id, name }) => [id, name]));
  const rows = listed.map((id): SettingRow => {
    const name = names.get(id);
    return { name: name ?? id, desc: name ? id : 'No command of this vault has this id.' };
  });
  const typed: SettingRow = {
    name: 'Commands that may be run',
    desc: 'One id a line, such as daily-notes. They run with all that they can do, once execute_command is set to allow or ask.',
    aliases: ['palette', 'execute_command'],
    control: { type: 'textarea', key: 'commands', rows: 3, validate: linesProblem('commands') },
  };
  return { type: 'group', heading: 'Commands', items: [typed, ...rows] };
}
