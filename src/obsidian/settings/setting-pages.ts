/** What the settings show: the rows of the first page and of the pages that it links to. */
import * as t from '#messages/settings-messages';
import type {
  Setting,
  SettingDefinitionGroup,
  SettingDefinitionItem,
  SettingDefinitionPage,
} from 'obsidian';
import { attachmentName } from '#messages/attachment-name';
import {
  LOG_AREA_TEXTS,
  LOG_LEVEL_NAMES,
  MODE_NAMES,
  PRESENTATION_NAMES,
  PROVIDER_NAMES,
  SCOPE_NAMES,
  THINKING_NAMES,
} from '#messages/choice-names';
import { LOG_AREAS, type LogArea } from '#model/log';
import { ANTHROPIC_ENDPOINT } from '#model/setting-choices';
import type { Settings } from '#model/settings';
import { wireNameFrom } from '#model/wire-name';
import type { CustomToolNote, ListedAgent } from '#ports/app/settings-port';
import type { ModelInfo } from '#ports/model-provider';
import type { SettingsPage } from '#ports/ui';
import { ExportDialog } from '../export-dialog';
import { copyText, hostCommands } from '../host-ui';
import { diagnostics } from './diagnostics';
import { customToolRows, hiddenFolderRows } from './folder-settings';
import { GeneratedText } from './generated-text';
import { McpAccessRow } from './mcp-access';
import { McpServerPages } from './mcp-server-pages';
import { keyRow, modelRow } from './model-settings';
import { SemanticIndexRow } from './semantic-index';
import { PAGE_NAMES } from './setting-link';
import {
  buttonRow,
  group,
  typedLines,
  LoadedValue,
  secretRow,
  settingRow,
  type SettingName,
  type SettingRow,
  type SettingRowDeps,
} from './setting-rows';
import { ToolPages } from './tool-pages';
import { VoiceDecisionsRow } from './voice-decisions-row';

type Group = SettingDefinitionGroup<SettingName>;
type Page = SettingDefinitionPage<SettingName>;

export interface SettingPagesDeps extends SettingRowDeps {
  /** Version of the plugin. */
  readonly version: string;
  /** Called after a connection check. */
  checked(): void;
}

export class SettingPages {
  readonly #deps: SettingPagesDeps;
  readonly #models: LoadedValue<readonly ModelInfo[]>;
  readonly #agents: LoadedValue<readonly ListedAgent[]>;
  readonly #customTools: LoadedValue<readonly CustomToolNote[]>;
  readonly #vaultDescription: GeneratedText;
  readonly #routingDescription: GeneratedText;
  readonly #toolPages: ToolPages;
  readonly #servers: McpServerPages;
  readonly #access: McpAccessRow;
  readonly #semanticIndex: SemanticIndexRow;
  readonly #voiceDecisions: VoiceDecisionsRow;

  constructor(deps: SettingPagesDeps) {
    const { agent, redraw } = deps;
    let models: Promise<readonly ModelInfo[]> | null = null;
    this.#deps = deps;
    this.#models = new LoadedValue([], () => (models ??= agent.settings.models()), redraw);
    this.#agents = new LoadedValue([], () => agent.tools.agents(), redraw);
    this.#customTools = new LoadedValue([], () => agent.tools.customTools(), redraw);
    this.#vaultDescription = new GeneratedText(deps, {
      setting: 'vaultOrganization',
      verb: t.describeVaultButton,
      label: t.draft,
      make: () => agent.settings.describeVault(),
    });
    this.#routingDescription = new GeneratedText(deps, {
      setting: 'routingDescription',
      verb: t.generate,
      label: t.routingDraft,
      make: () => agent.settings.describeRouting(),
    });
    this.#toolPages = new ToolPages(deps);
    this.#servers = new McpServerPages(deps);
    this.#access = new McpAccessRow(deps);
    this.#semanticIndex = new SemanticIndexRow(agent);
    this.#voiceDecisions = new VoiceDecisionsRow(agent.voice);
  }

  items(): SettingDefinitionItem<SettingName>[] {
    return [
      { type: 'group', items: this.#basics() },
      {
        type: 'group',
        items: [
          page('connection', t.connectionPageDetail, this.#connection()),
          page('chat', this.#chatDetail(), this.#chat()),
          page('permissions', t.permissionsPageDetail, this.#permissions()),
          page('voice', t.voicePageDetail, this.#voice()),
          page('search', t.searchPageDetail, this.#search()),
          page('mcp', t.mcpPageDetail, [this.#servers.list(), this.#mcpClients()]),
          page('limits', t.limitsPageDetail, limits()),
          page('advanced', t.advancedPageDetail, this.#advanced()),
        ],
      },
    ];
  }

  get #settings(): Settings {
    return this.#deps.agent.settings.current();
  }

  #basics(): (SettingRow | Page)[] {
    return [
      this.#looking(keyRow(this.#deps, () => this.#deps.checked())),
      modelRow(this.#deps, this.#models.value),
      settingRow('panelMode', t.chatMode, t.chatModeDetail, {
        aliases: ['review', 'apply', t.readOnlyLower],
        options: MODE_NAMES,
      }),
      {
        type: 'page',
        name: t.vaultOrganization,
        desc: t.vaultOrganizationDetail,
        items: [
          settingRow('vaultOrganization', t.organizationText, t.organizationTextDetail, {
            aliases: ['folders', 'structure'],
            rows: 14,
          }),
          {
            name: t.describeVault,
            desc: t.describeVaultDetail,
            aliases: ['generate', 'folders', 'structure'],
            render: this.#vaultDescription.render,
          },
        ],
      },
      {
        type: 'page',
        name: t.instructions,
        desc: t.instructionsDetail,
        displayValue: () => t.lineCount(typedLines(this.#settings.instructions).length),
        items: [
          settingRow('instructions', t.instructionsText, t.instructionsTextDetail, {
            aliases: ['system prompt', 'AGENTS.md', 'remember'],
            rows: 14,
          }),
        ],
      },
    ];
  }

  /** Loads what other rows show when this one is rendered. */
  #looking(row: SettingRow): SettingRow {
    if (!row.render) return row;
    const { render } = row;
    return {
      ...row,
      render: (setting, within) => {
        void this.#agents.refresh();
        void this.#models.refresh();
        this.#servers.look();
        return render(setting, within);
      },
    };
  }

  #connection(): SettingRow[] {
    return [
      settingRow('thinking', t.thinking, t.thinkingDetail, {
        aliases: ['reasoning', 'effort'],
        options: THINKING_NAMES,
      }),
      settingRow('endpoint', t.endpoint, t.endpointDetail, {
        aliases: ['URL', 'server', 'Ollama', 'LM Studio', 'LiteLLM', 'proxy'],
        placeholder: ANTHROPIC_ENDPOINT,
      }),
      settingRow('compatibility', t.compatibility, t.compatibilityDetail),
    ];
  }

  /** Presets have a group only once there are some. */
  #chatDetail(): string {
    const hasPresets = this.#settings.contextPresets.length > 0;
    return hasPresets ? t.chatPageDetailWithPresets : t.chatPageDetail;
  }

  #chat(): Group[] {
    const { app, agent } = this.#deps;
    const rows = [
      settingRow('notifications', t.notifications, t.notificationsDetail, {
        aliases: ['notify', 'desktop', 'background'],
      }),
      settingRow('idleMinutes', t.idleMinutes, t.idleMinutesDetail),
      settingRow('conversationsKept', t.keptChats, t.keptChatsDetail, { aliases: ['history'] }),
      settingRow('questionTimeoutMinutes', t.questionTimeout, t.questionTimeoutDetail),
      buttonRow(
        t.exportChats,
        t.exportChatsDetail,
        t.exportNow,
        () => new ExportDialog(app, agent.conversations).open(),
        ['backup', 'uninstall', 'remove', 'history'],
      ),
    ];
    const presets = this.#presets();
    const first: Group = { type: 'group', items: rows };
    return presets.length === 0 ? [first] : [first, group(t.contextPresets, presets)];
  }

  /** Presets are made in the composer; here the user sees and removes them. */
  #presets(): SettingRow[] {
    return this.#settings.contextPresets.map(({ name, attachments }) =>
      buttonRow(
        name,
        attachments.map(attachmentName).join(', '),
        t.remove,
        async () => {
          const kept = this.#settings.contextPresets.filter((each) => each.name !== name);
          await this.#deps.save('contextPresets', kept);
          this.#deps.redraw();
        },
        ['context', 'attach'],
      ),
    );
  }

  #permissions(): (Group | Page)[] {
    const folder = { aliases: ['folder'], isFolder: true };
    const groups: (Group | Page)[] = [
      { type: 'group', items: [precedence()] },
      group(t.hidden, [
        ...hiddenFolderRows(this.#deps),
        settingRow('excludedTag', t.excludedTag, t.excludedTagDetail, {
          aliases: ['private', 'hide', 'ignore', 'secret', 'exclude'],
          placeholder: 'private',
        }),
      ]),
      {
        type: 'page',
        name: t.toolsPage,
        desc: t.toolsPageDetail,
        items: [
          group(t.toolGroups, this.#toolPages.items(this.#agents.value)),
          group(t.commands, this.#commands()),
        ],
      },
      editable(),
      group(t.edits, [
        settingRow('proposalTag', t.editTag, t.editTagDetail, {
          aliases: ['review', 'ai_edit'],
          placeholder: 'ai_edit',
        }),
        settingRow('changeLogMegabytes', t.undoSize, t.undoSizeDetail, {
          aliases: ['undo', 'history', 'storage'],
        }),
      ]),
      group(t.folders, [
        settingRow('templateFolder', t.templates, t.templatesDetail, folder),
        settingRow('customToolFolder', t.customToolFolder, t.customToolsDetail, folder),
        settingRow('promptFolder', t.prompts, t.promptsDetail, folder),
      ]),
    ];
    return this.#settings.customToolFolder === ''
      ? groups
      : [...groups, group(t.customTools, customToolRows(this.#customTools))];
  }

  #commands(): SettingRow[] {
    const names = new Map(
      hostCommands(this.#deps.app)
        .all()
        .map(({ id, name }) => [id, name]),
    );
    return [
      settingRow('commands', t.allowedCommands, t.allowedCommandsDetail, {
        aliases: ['palette', 'execute_command'],
        rows: 3,
      }),
      ...this.#settings.commands.map((id) => {
        const name = names.get(id);
        return { name: name ?? id, desc: name ? id : t.unknownCommand };
      }),
    ];
  }

  #voice(): SettingRow[] {
    return [
      settingRow('smartHole', t.smartHole, t.smartHoleDetail, {
        aliases: ['voice', 'speech', 'microphone', 'connect'],
      }),
      settingRow('assistantName', t.assistantName, t.assistantNameDetail),
      settingRow('wireName', t.wireName, t.wireNameDetail, {
        placeholder: wireNameFrom(this.#settings.assistantName),
      }),
      settingRow('smartHoleMode', t.voiceMode, t.voiceModeDetail, {
        aliases: ['review', 'apply', t.readOnlyLower],
        options: MODE_NAMES,
      }),
      {
        name: t.voiceDecisions,
        desc: t.voiceDecisionsDetail,
        aliases: ['approve', 'delete', 'pair', 'SmartHole'],
        render: this.#voiceDecisions.render,
      },
      settingRow('routingDescription', t.routing, t.routingDetail, { rows: 6 }),
      {
        name: t.generateRouting,
        desc: t.generateRoutingDetail,
        render: this.#routingDescription.render,
      },
      settingRow('smartHolePort', t.port, t.portDetail),
    ];
  }

  #search(): Group[] {
    const web = [
      settingRow('searchProvider', t.webSearch, t.webSearchDetail, {
        aliases: ['internet', 'online', 'Brave', 'Tavily', 'Serper', 'Google', 'browse'],
        options: PROVIDER_NAMES,
      }),
    ];
    if (!['', 'anthropic'].includes(this.#settings.searchProvider)) {
      web.push(secretRow(this.#deps, 'searchKeyName', t.webSearchKey, t.webSearchKeyDetail));
    }
    return [
      group(t.web, web),
      group(t.semanticSearch, [
        settingRow('embeddingEndpoint', t.embeddingEndpoint, t.embeddingEndpointDetail, {
          aliases: ['meaning', 'semantic', 'vector', 'Ollama', 'OpenAI'],
          placeholder: 'http://localhost:11434',
        }),
        settingRow('embeddingModel', t.embeddingModel, t.embeddingModelDetail, {
          placeholder: 'nomic-embed-text',
        }),
        secretRow(this.#deps, 'embeddingKeyName', t.embeddingKey, t.embeddingKeyDetail),
        {
          name: t.updateIndex,
          desc: t.updateIndexDetail,
          aliases: ['index', 'update'],
          render: this.#semanticIndex.render,
        },
      ]),
    ];
  }

  #mcpClients(): Group {
    return group(t.mcpClients, [
      settingRow('mcpServerEnabled', t.mcpServer, t.mcpServerDetail, {
        aliases: ['MCP', 'server', 'Model Context Protocol', 'Claude Code', 'external app'],
      }),
      settingRow('mcpServerWrites', t.mcpWrite, t.mcpWriteDetail, { aliases: ['MCP', 'write'] }),
      settingRow('mcpServerMode', t.mcpMode, t.mcpModeDetail, {
        aliases: ['MCP', 'review', 'apply', t.readOnlyLower],
        options: MODE_NAMES,
      }),
      settingRow('mcpServerPort', t.mcpPort, t.mcpPortDetail, { aliases: ['MCP'] }),
      {
        name: t.connectApp,
        desc: t.connectAppDetail,
        aliases: ['MCP', 'token', 'address', 'secret'],
        render: this.#access.render,
      },
    ]);
  }

  #advanced(): SettingDefinitionItem<SettingName>[] {
    return [
      settingRow('toolPresentation', t.toolFormat, t.toolFormatDetail, {
        aliases: ['MCP', 'modes', 'flat', 'schema'],
        options: PRESENTATION_NAMES,
      }),
      buttonRow(
        t.diagnostics,
        t.diagnosticsDetail,
        t.copyDiagnostics,
        () => this.#copyDiagnostics(),
        ['bug', 'report', 'debug', 'log', 'support'],
      ),
      group(
        t.log,
        LOG_AREAS.map((area) => this.#logLevel(area)),
      ),
    ];
  }

  async #copyDiagnostics(): Promise<void> {
    const { agent, notice, version } = this.#deps;
    try {
      await copyText(await diagnostics(agent, version));
      notice(t.diagnosticsCopied);
    } catch {
      notice(t.diagnosticsFailed);
    }
  }

  #logLevel(area: LogArea): SettingRow {
    return {
      ...LOG_AREA_TEXTS[area],
      aliases: ['log', 'level', 'debug'],
      render: (setting: Setting) => {
        setting.addDropdown((dropdown) =>
          dropdown
            .addOptions(LOG_LEVEL_NAMES)
            .setValue(this.#settings.logLevels[area])
            .onChange((level) => {
              void this.#deps.save('logLevels', { ...this.#settings.logLevels, [area]: level });
            }),
        );
      },
    };
  }
}

function page(id: SettingsPage, desc: string, items: SettingDefinitionItem<SettingName>[]): Page {
  return { type: 'page', name: PAGE_NAMES[id], desc, items };
}

/** Says in one place which of the rules below holds. */
function precedence(): SettingRow {
  return {
    name: t.precedence,
    desc: t.precedenceDetail,
    aliases: ['mode', 'override', 'priority', 'permission'],
  };
}

function editable(): Group {
  return group(t.editable, [
    settingRow('editableScope', t.editableNotes, t.editableNotesDetail, {
      aliases: ['scope'],
      options: SCOPE_NAMES,
    }),
    settingRow('allowAdd', t.canAdd, t.canAddDetail, { aliases: ['capability'] }),
    settingRow('allowReplace', t.canReplace, t.canReplaceDetail, {
      aliases: ['capability', 'overwrite', 'rename'],
    }),
    settingRow('allowCreate', t.canCreate, t.canCreateDetail, { aliases: ['capability', 'new'] }),
    settingRow('allowNavigate', t.canNavigate, t.canNavigateDetail, {
      aliases: ['capability', 'open'],
    }),
    settingRow('contextDepth', t.linkedNotes, t.linkedNotesDetail, {
      aliases: ['context', 'scope', 'depth'],
    }),
  ]);
}

function limits(): Group[] {
  const money = { aliases: ['money', 'budget', 'price'] };
  return [
    group(t.requestLimits, [
      settingRow('turnsAtOnce', t.turnsAtOnce, t.turnsAtOnceDetail, {
        aliases: ['parallel', 'chats', 'concurrent'],
      }),
      settingRow('stepsPerTurn', t.stepsPerTurn, t.stepsPerTurnDetail),
      settingRow('tokensPerTurn', t.tokensPerTurn, t.tokensPerTurnDetail),
      settingRow('tokenWarning', t.largeMessages, t.largeMessagesDetail, {
        aliases: ['context', 'attach', 'warning'],
      }),
      settingRow('stallSeconds', t.stall, t.stallDetail),
    ]),
    group(t.cost, [
      settingRow('moneyPerTurn', t.costPerTurn, t.costPerTurnDetail, money),
      settingRow('moneyPerDay', t.costPerDay, t.costPerDayDetail, money),
      settingRow('showCost', t.showCost, t.showCostDetail, {
        aliases: ['tokens', 'price', 'money'],
      }),
      settingRow('prices', t.prices, t.pricesDetail, {
        aliases: ['cost', 'money', 'usage', 'tokens'],
        rows: 3,
      }),
    ]),
    group(t.readLimits, [
      settingRow('readLines', t.linesPerRead, t.linesPerReadDetail),
      settingRow('readCharacters', t.charactersPerRead, t.charactersPerReadDetail),
      settingRow('readLineCharacters', t.charactersPerLine, t.charactersPerLineDetail),
    ]),
  ];
}
