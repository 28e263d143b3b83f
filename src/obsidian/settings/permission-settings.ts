/** Settings of what the agent may see and do. */
import * as t from '#messages/settings-messages';
import type { App, SettingDefinitionGroup, SettingDefinitionPage } from 'obsidian';
import type { EditableScope } from '#model/setting-choices';
import type { Agent } from '#ports/app/agent';
import type { HostCommands } from '#ports/ui';
import { hostCommands } from '../host-ui';
import { FolderSettings, HiddenFolders } from './folder-settings';
import {
  linesProblem,
  type SettingName,
  numberRow,
  problemOf,
  type SaveSetting,
  type SettingRow,
} from './setting-rows';
import { ToolPages } from './tool-pages';

const SCOPES: Record<EditableScope, string> = {
  vault: t.scopeAll,
  context: t.scopeAttached,
  linked: t.scopeLinked,
  current: t.scopeOpen,
};

export class PermissionSettings {
  readonly #app: App;
  readonly #agent: Pick<Agent, 'settings' | 'tools'>;
  readonly #hidden: HiddenFolders;
  readonly #folders: FolderSettings;
  readonly #tools: ToolPages;

  /** @param changed called when the rows have changed */
  constructor(
    app: App,
    agent: Pick<Agent, 'settings' | 'tools'>,
    save: SaveSetting,
    changed: () => void,
  ) {
    this.#app = app;
    this.#agent = agent;
    this.#hidden = new HiddenFolders(app, agent, save, changed);
    this.#folders = new FolderSettings(agent, changed);
    this.#tools = new ToolPages(agent, save, changed);
  }

  /** Loads the current agents and tools. */
  look(): void {
    this.#tools.look();
  }

  groups(): (SettingDefinitionGroup<SettingName> | SettingDefinitionPage<SettingName>)[] {
    const hidden: SettingRow[] = [...this.#hidden.rows(), this.#excludedTag()];
    return [
      { type: 'group', heading: t.hidden, items: hidden },
      {
        type: 'page',
        name: t.toolsPage,
        desc: t.toolsPageDetail,
        items: [
          { type: 'group', heading: t.toolGroups, items: this.#tools.items() },
          commandGroup(this.#agent.settings.current().commands, hostCommands(this.#app)),
        ],
      },
      { type: 'group', heading: t.editable, items: this.#editable() },
      { type: 'group', heading: t.edits, items: this.#edits() },
      ...this.#folders.groups(),
    ];
  }

  #excludedTag(): SettingRow {
    return {
      name: t.excludedTag,
      desc: t.excludedTagDetail,
      aliases: ['private', 'hide', 'ignore', 'secret', 'exclude'],
      control: {
        type: 'text',
        key: 'excludedTag',
        placeholder: 'private',
        validate: problemOf('excludedTag'),
      },
    };
  }

  #editable(): SettingRow[] {
    return [
      {
        name: t.editableNotes,
        desc: t.editableNotesDetail,
        aliases: ['scope'],
        control: { type: 'dropdown', key: 'editableScope', options: SCOPES },
      },
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
      numberRow('contextDepth', t.linkedNotes, t.linkedNotesDetail, ['context', 'scope', 'depth']),
    ];
  }

  #edits(): SettingRow[] {
    return [
      {
        name: t.editTag,
        desc: t.editTagDetail,
        aliases: ['review', 'ai_edit'],
        control: {
          type: 'text',
          key: 'proposalTag',
          placeholder: 'ai_edit',
          validate: problemOf('proposalTag'),
        },
      },
      numberRow('changeLogMegabytes', t.undoSize, t.undoSizeDetail, ['undo', 'history', 'storage']),
    ];
  }
}

function commandGroup(
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
