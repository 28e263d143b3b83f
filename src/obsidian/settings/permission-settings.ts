/** Settings of what the agent may see and do. */
import * as t from '#model/messages/settings-messages';
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
  vault: t.scopeAll,
  context: t.scopeAttached,
  linked: t.scopeLinked,
  current: t.scopeOpen,
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
      { type: 'group', heading: t.hidden, items: this.#excluded() },
      { type: 'group', heading: t.editable, items: this.#reach() },
      { type: 'group', heading: t.toolGroups, items: this.#agents.items() },
    ];
  }

  #excluded(): SettingRow[] {
    return [
      {
        name: t.excludedFolders,
        desc: t.excludedFoldersDetail,
        aliases: ['private', 'hidden', 'ignore', 'secret'],
        control: {
          type: 'textarea',
          key: 'excludedFolders',
          rows: 4,
          validate: linesProblem('excludedFolders'),
        },
      },
      {
        name: t.excludedTag,
        desc: t.excludedTagDetail,
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
        name: t.editableNotes,
        desc: t.editableNotesDetail,
        aliases: ['scope'],
        control: { type: 'dropdown', key: 'editableScope', options: SCOPES },
      },
      numberRow('contextDepth', t.linkedNotes, t.linkedNotesDetail, ['context', 'scope', 'depth']),
      {
        name: t.canAdd,
        desc: t.canAddDetail,
        aliases: ['capability'],
        control: { type: 'toggle', key: 'allowAdd' },
      },
      {
        name: t.canReplace,
        desc: t.canReplaceDetail,
        aliases: ['capability', 'overwrite', 'rename'],
        control: { type: 'toggle', key: 'allowReplace' },
      },
      {
        name: t.canCreate,
        desc: t.canCreateDetail,
        aliases: ['capability', 'new'],
        control: { type: 'toggle', key: 'allowCreate' },
      },
      {
        name: t.canNavigate,
        desc: t.canNavigateDetail,
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
    return { name: name ?? id, desc: name ? id : t.unknownCommand };
  });
  const typed: SettingRow = {
    name: t.allowedCommands,
    desc: t.allowedCommandsDetail,
    aliases: ['palette', 'execute_command'],
    control: { type: 'textarea', key: 'commands', rows: 3, validate: linesProblem('commands') },
  };
  return { type: 'group', heading: t.commands, items: [typed, ...rows] };
}
