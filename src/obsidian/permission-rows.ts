/** The settings of what the agent may do and see. */
import type { Setting, SettingDefinitionGroup } from 'obsidian';
import type { Permission } from '#model/settings';
import type { EditableScope } from '#model/scope';
import type { Agent, ListedTool } from '#ports/agent';
import { numberRow, problemOf, type Name, type Row } from './setting-rows';
import { linesProblem } from './typed-lines';

type Asked = Pick<Agent, 'settings' | 'tools'>;

/** Keeps a value that may be set. */
type Keep = (name: Name, value: unknown) => Promise<void>;

const SCOPES: Record<EditableScope, string> = {
  vault: 'All notes',
  context: 'What you attached',
  linked: 'The open note and those it links to',
  current: 'The open note',
};

const GROUPS: Record<ListedTool['agent'], string> = {
  note_reader: 'Tools that read',
  note_editor: 'Tools that edit',
  vault_librarian: 'Tools that find',
  vault_manager: 'Tools that manage files',
  conversation: 'Tools of the conversation',
};

const PERMISSIONS: readonly [Permission, string][] = [
  ['allow', 'Allow'],
  ['ask', 'Ask'],
  ['off', 'Off'],
];

/** For people; what a tool says of itself is written for the model. */
const PLAIN_WORDS: Readonly<Record<string, string>> = {
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
  get_properties: 'Reads the properties of notes.',
  query_notes: 'Finds notes by properties, tags, dates, links and tasks.',
  list_tags: 'Lists tags and how often they are used.',
  get_links: 'Follows the links from and to a note.',
  find_dead_links: 'Finds links that lead nowhere, and notes without links.',
  explore_structure: 'Looks over the folders and what is in them.',
  create_folder: 'Makes folders.',
  move: 'Moves and renames, with the links that lead there.',
  delete: 'Deletes files and folders, as your setting for deleted files says.',
  open_note: 'Opens notes for you to see.',
  plan: 'Shows you a checklist of what it is going to do.',
  send_message: 'Tells you something while it goes on working.',
  get_conversation: 'Looks up past conversations.',
  end_conversation: 'Ends the conversation when you say so.',
};

export class PermissionRows {
  readonly #agent: Asked;
  readonly #keep: Keep;

  constructor(agent: Asked, keep: Keep) {
    this.#agent = agent;
    this.#keep = keep;
  }

  groups(): SettingDefinitionGroup<Name>[] {
    return [
      { type: 'group', heading: 'Out of sight', items: this.#excluded() },
      { type: 'group', heading: 'What may be edited', items: this.#reach() },
      ...this.#tools(),
    ];
  }

  #excluded(): Row[] {
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

  #reach(): Row[] {
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
        'How many links away, from 0 to 3, notes may lie that the agent is told of beside those you attached. It can still find and read others.',
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

  #tools(): SettingDefinitionGroup<Name>[] {
    const tools = this.#agent.tools().filter(({ fixed }) => !fixed);
    return Object.entries(GROUPS).flatMap(([agent, heading]) => {
      const items = tools.filter((tool) => tool.agent === agent).map((tool) => this.#tool(tool));
      return items.length === 0 ? [] : [{ type: 'group' as const, heading, items }];
    });
  }

  #tool({ name, description }: ListedTool): Row {
    return {
      name,
      desc: PLAIN_WORDS[name] ?? firstSentence(description),
      aliases: ['tool', 'permission', 'allow', 'ask', 'off'],
      render: (setting) => this.#pills(setting, name),
    };
  }

  #pills(setting: Setting, tool: string): void {
    const now = this.#agent.tools().find(({ name }) => name === tool)?.permission;
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
        void this.#keep('tools', { ...this.#agent.settings().tools, [tool]: permission });
      });
    }
  }
}

/** Folders as they are typed, one a line. */
function firstSentence(text: string): string {
  return /^[^]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
}
