/**
 * Settings of the folders for templates, custom tools and prompts, with the status of each custom
 * tool note.
 */
import * as t from '#model/messages/settings-messages';
import type { SettingDefinitionGroup } from 'obsidian';
import { noteName } from '#model/attachment';
import type { Agent } from '#ports/app/agent';
import type { CustomToolNote } from '#ports/app/tools-port';
import { problemOf, type SettingName, type SettingRow } from './setting-rows';

const EXAMPLE = `---
tool: packing_list
description: What to pack for a journey.
parameters:
  nights: How many nights it takes.
  season:
    description: The time of the year.
    type: [summer, winter]
    default: summer
---
{{nights}} shirts and a hat for {{season}}`;

export class FolderSettings {
  readonly #agent: Pick<Agent, 'settings' | 'tools'>;
  readonly #changed: () => void;
  #tools: readonly CustomToolNote[] = [];

  /** @param changed called when the rows have changed */
  constructor(agent: Pick<Agent, 'settings' | 'tools'>, changed: () => void) {
    this.#agent = agent;
    this.#changed = changed;
  }

  groups(): SettingDefinitionGroup<SettingName>[] {
    const groups: SettingDefinitionGroup<SettingName>[] = [
      {
        type: 'group',
        heading: t.folders,
        items: [
          folderRow('templateFolder', t.templates, t.templatesDetail),
          folderRow('customToolFolder', t.customToolFolder, t.customToolsDetail),
          folderRow('promptFolder', t.prompts, t.promptsDetail),
        ],
      },
    ];
    if (this.#agent.settings.current().customToolFolder === '') return groups;
    return [...groups, { type: 'group', heading: t.customTools, items: this.#toolRows() }];
  }

  #toolRows(): SettingRow[] {
    const rows = this.#tools.map(rowOf);
    const last: SettingRow = {
      name: t.customToolHelp,
      desc: t.customToolHelpDetail,
      render: (setting) => {
        this.#look();
        setting.descEl.createEl('pre', { text: EXAMPLE });
      },
    };
    return [...rows, last];
  }

  /**
   * Loads the notes when a row is rendered, not when definitions are read: Obsidian reads those at
   * every start to search settings.
   */
  #look(): void {
    void this.#agent.tools.customTools().then((tools) => {
      if (JSON.stringify(tools) === JSON.stringify(this.#tools)) return;
      this.#tools = tools;
      this.#changed();
    });
  }
}

function rowOf(note: CustomToolNote): SettingRow {
  return 'tool' in note
    ? { name: note.tool, desc: note.path }
    : { name: t.notATool(noteName(note.path)), desc: `${note.problem} (${note.path})` };
}

function folderRow(key: SettingName, name: string, desc: string): SettingRow {
  return {
    name,
    desc,
    aliases: ['folder'],
    control: { type: 'folder', key, validate: problemOf(key) },
  };
}
