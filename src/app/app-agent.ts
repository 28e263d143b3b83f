/** Creates the turn runner and all its tools. */
import type { Conversations } from '#conversations/repository';
import { hostCommands, showFile } from '#obsidian/host-ui';
import type { AnthropicProvider } from '#providers/anthropic/anthropic-provider';
import { SEARCH_FEE_USD } from '#providers/anthropic/anthropic-models';
import type { ChangeLog } from '#edits/change-log';
import type { PendingEdits } from '#edits/pending-edits';
import { SentPrompts } from '#queue/sent-prompts';
import { TurnRunner } from '#queue/turn-runner';
import { McpServerManager } from '#mcp/client/manager';
import { ALL_TOOLS } from '#tools/all-tools';
import { CustomTools } from '#tools/custom/custom-tools';
import { DirectCalls } from '#tools/direct-calls';
import { ServerTools } from '#tools/mcp/server-tools';
import { permissionKey, ToolRegistry } from '#tools/registry';
import { ToolContexts } from '#tools/tool-context';
import { WebAccess } from '#web/web-access';
import type { UsageLog } from '#usage/usage-log';
import type { VaultSearch } from '#tools/vault-search';
import type { AppContext } from './app-context';

export interface AppAgentDeps {
  readonly conversations: Conversations;
  readonly changeLog: ChangeLog;
  readonly pending: PendingEdits;
  readonly search: VaultSearch;
  readonly model: AnthropicProvider;
  readonly usage: UsageLog;
}

export function createAppAgent(context: AppContext, deps: AppAgentDeps) {
  const { plugin, machine, notes, metadata, device, mint, settings, changeSettings, secret } =
    context;
  const { clock, storage: store, fetch } = machine;
  const { conversations, changeLog, pending, search, model, usage } = deps;
  const { app } = plugin;
  const prompts = new SentPrompts(store, `${context.folder}/prompts`, sha256);
  const registry = new ToolRegistry();
  for (const tool of ALL_TOOLS) registry.register(tool);
  const allowAlways = (name: string) => {
    const tool = registry.get(name);
    // A tool that is gone may come back as another server's.
    if (!tool) return Promise.resolve();
    const key = permissionKey(tool);
    return changeSettings((now) => ({ ...now, tools: { ...now.tools, [key]: 'allow' } }));
  };
  const web = new WebAccess({
    clock,
    fetch,
    settings,
    host: machine.pages,
    model: (onSpent) => usage.metered(model, 'search', SEARCH_FEE_USD, onSpent),
    key: () => secret(settings().searchKeyName),
  });
  const toolContexts = new ToolContexts({
    notes,
    metadata,
    changeLog,
    pending,
    search,
    web,
    clock,
    mint,
    device,
    settings,
    history: conversations,
    configDir: app.vault.configDir,
    show: showFile(app),
    commands: hostCommands(app),
  });
  const custom = new CustomTools({
    registry,
    notes,
    vault: () => toolContexts.acceptedVault(),
    folder: () => settings().customToolFolder,
  });
  const servers = new McpServerManager({
    clock,
    fetch,
    version: plugin.manifest.version,
    servers: () => settings().mcpServers,
    secret,
  });
  plugin.register(() => void servers.close());
  // MCP server processes that do not exit on their own must be ended here.
  plugin.onQuit(() => servers.close());
  const serverTools = new ServerTools(registry, servers);
  const tools = { registry, toolContexts, settings, allowAlways, servers: serverTools };
  const turns = new TurnRunner({
    ...tools,
    clock,
    mint,
    device,
    model,
    conversations,
    prompts,
    changeLog,
    pending,
    notes,
    usage,
    activeNote: () => app.workspace.getActiveFile()?.path ?? null,
    window: (id) => model.window(id),
  });
  return {
    tools,
    custom,
    servers,
    turns,
    settingsChanged: () => servers.update(),
    direct: new DirectCalls({ ...tools, clock, mint }),
  };
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest).slice(0, 16), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

export type AppAgent = ReturnType<typeof createAppAgent>;
