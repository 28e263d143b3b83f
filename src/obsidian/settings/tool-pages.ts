/**
 * A settings page for each agent: whether it is enabled, the permissions of its tools, and its
 * limits.
 */
import type { Setting, SettingDefinitionPage, SettingGroupItem } from 'obsidian';
import { permissionSet, type Permission, type ToolPresentation } from '#model/settings';
import type { Agent } from '#ports/app/agent';
import type { ListedAgent, ListedTool } from '#ports/app/tools-port';
import { numberRow, type SettingName, type SettingRow } from './setting-rows';

export type ToolSettingsAgent = Pick<Agent, 'settings' | 'tools'>;

/** Validates and saves a setting. */
export type SaveSetting = (name: SettingName, value: unknown) => Promise<void>;

const PRESENTATIONS: Record<ToolPresentation, string> = {
  flat: 'One by one',
  agents: 'By agent',
  mcp: 'MCP',
};

const PERMISSIONS: readonly [Permission, string][] = [
  ['allow', 'Allow'],
  ['ask', 'Ask'],
  ['off', 'Off'],
];

/** Tool descriptions for the user; a tool's own description is written for the model. */
const PLAIN_WORDS = new Map(
  Object.entries({
    read_file: 'Reads notes and other files.',
    get_file_info: 'Tells size, dates, headings, links and tags of a note.',
    write_file: 'Creates notes, and replaces the whole text of one.',
    edit_file: 'Changes parts of a note.',
    update_properties: 'Sets and removes properties of a note, at once.',
    add_tags: 'Adds tags to a note, at once.',
    link_notes: 'Puts links into notes.',
    apply_template: 'Makes notes from your templates.',
    list_files: 'Finds notes and folders by name.',
    search_files: 'Finds what notes say.',
    search_vault: 'Finds the notes that say most about something.',
    get_properties: 'Reads the properties of notes.',
    get_context: 'Looks again at what you attached and have open.',
    copy_notes: 'Puts a button into the chat that copies notes.',
    execute_command: 'Runs the commands that you list under Permissions.',
    query_notes: 'Finds notes by properties, tags, dates, links and tasks.',
    list_tags: 'Lists tags and how often they are used.',
    get_links: 'Follows the links from and to a note.',
    find_dead_links: 'Finds links that lead nowhere, and notes without links.',
    explore_structure: 'Looks over the folders and what is in them.',
    create_folder: 'Makes folders.',
    move: 'Moves and renames, with the links that lead there.',
    delete: 'Deletes files and folders, as your setting for deleted files says.',
    open_note: 'Opens notes for you to see.',
    web_search: 'Searches the web by the provider chosen under Web.',
    read_webpage: 'Reads pages of the web that you or a search named; asks about others.',
    plan: 'Shows you a checklist of what it is going to do.',
    send_message: 'Tells you something while it goes on working.',
    get_conversation: 'Looks up past conversations.',
    end_conversation: 'Ends the conversation when you say so.',
  }),
);

/** Extra rows of an agent's page, by agent. */
const LIMITS = new Map(
  Object.entries<readonly SettingRow[]>({
    note_reader: [
      numberRow('readLines', 'Lines read at once', 'The most lines of a note that one call reads.'),
      numberRow(
        'readCharacters',
        'Characters read at once',
        'The most characters that one call reads.',
      ),
      numberRow(
        'readLineCharacters',
        'Characters of a line',
        'Longer lines are cut, and the result says so.',
      ),
    ],
  }),
);

export class ToolPages {
  readonly #asked: ToolSettingsAgent;
  readonly #keep: SaveSetting;
  readonly #changed: () => void;
  #agents: readonly ListedAgent[] = [];

  /** @param changed called when the pages have changed */
  constructor(asked: ToolSettingsAgent, keep: SaveSetting, changed: () => void) {
    this.#asked = asked;
    this.#keep = keep;
    this.#changed = changed;
  }

  /** Loads the current agents and tools. */
  look(): void {
    void this.#asked.tools.agents().then((agents) => {
      if (JSON.stringify(agents) === JSON.stringify(this.#agents)) return;
      this.#agents = agents;
      this.#changed();
    });
  }

  items(): SettingGroupItem<SettingName>[] {
    return [
      ...this.#agents.map((agent) => this.#page(agent)),
      {
        name: 'Tool presentation',
        desc: 'How a model is told of the tools in new chats: each by itself, as modes of its agent, or by names as MCP clients make them. What they do and may do is the same.',
        aliases: ['MCP', 'modes', 'flat', 'schema'],
        control: { type: 'dropdown', key: 'toolPresentation', options: PRESENTATIONS },
      },
    ];
  }

  #page(agent: ListedAgent): SettingDefinitionPage<SettingName> {
    const { name, key, description, tools } = agent;
    const visible = () => !this.#isDisabled(key);
    const free = tools.filter(({ fixed }) => !fixed);
    const limits = LIMITS.get(name) ?? [];
    const kept = tools.length > free.length ? ' Asking you and ending a turn stay on.' : '';
    const first: SettingRow = {
      name: 'Use this agent',
      desc: `When off, none of its tools can be called.${kept}`,
      aliases: ['disable', 'enable', 'agent'],
      render: (setting) => this.#toggle(setting, key),
    };
    return {
      type: 'page',
      name: agentTitle(name),
      desc: description,
      displayValue: () => this.#statusText(agent),
      items: [
        first,
        { type: 'group', heading: 'Tools', visible, items: free.map((tool) => this.#tool(tool)) },
        ...(limits.length > 0
          ? [{ type: 'group' as const, heading: 'Limits', visible, items: [...limits] }]
          : []),
      ],
    };
  }

  #isDisabled(agent: string): boolean {
    return this.#asked.settings.current().disabledAgents.includes(agent);
  }

  #permission({ key, permission, fixed }: ListedTool): Permission {
    return fixed ? permission : permissionSet(this.#asked.settings.current(), key, permission);
  }

  /** Summary of the permissions other than "allow". */
  #statusText({ key, tools }: ListedAgent): string {
    if (this.#isDisabled(key)) return 'Off';
    const counted = (permission: Permission) =>
      tools.filter((tool) => !tool.fixed && this.#permission(tool) === permission).length;
    const [asks, off] = [counted('ask'), counted('off')];
    return [asks > 0 ? `${asks} ask${asks === 1 ? 's' : ''}` : '', off > 0 ? `${off} off` : '']
      .filter((part) => part !== '')
      .join(', ');
  }

  #toggle(setting: Setting, agent: string): void {
    setting.addToggle((toggle) => {
      toggle.setValue(!this.#isDisabled(agent)).onChange((on) => {
        const others = this.#asked.settings
          .current()
          .disabledAgents.filter((each) => each !== agent);
        void this.#keep('disabledAgents', on ? others : [...others, agent]);
      });
    });
  }

  #tool(tool: ListedTool): SettingRow {
    const { name, description } = tool;
    return {
      name,
      desc: PLAIN_WORDS.get(name) ?? firstSentence(description),
      aliases: ['tool', 'permission', 'allow', 'ask', 'off'],
      render: (setting) => this.#permissionButtons(setting, tool),
    };
  }

  #permissionButtons(setting: Setting, listed: ListedTool): void {
    const { name: tool, key } = listed;
    const now = this.#permission(listed);
    const group = setting.controlEl.createDiv({
      cls: 'parley-pills',
      attr: { role: 'radiogroup', 'aria-label': tool },
    });
    for (const [permission, words] of PERMISSIONS) {
      const label = group.createEl('label', { cls: 'parley-pill' });
      const input = label.createEl('input', {
        type: 'radio',
        attr: { name: `parley-tool-${tool}`, value: permission },
      });
      input.checked = permission === now;
      label.createSpan({ text: words });
      input.addEventListener('change', () => {
        void this.#keep('tools', { ...this.#asked.settings.current().tools, [key]: permission });
      });
    }
  }
}

function agentTitle(name: string): string {
  const plain = name.replaceAll('_', ' ');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

function firstSentence(text: string): string {
  return /^[^]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
}
