/** Creates the model, the turn runner and all its tools. */
import { SharedRateLimit } from '#agent/shared-rate-limit';
import type { Conversations } from '#conversations/repository';
import { hostCommands, showFile } from '#obsidian/host-ui';
import type { ModelInfo } from '#ports/model-provider';
import { AnthropicProvider } from '#providers/anthropic/anthropic-provider';
import { priceOf, SEARCH_FEE_USD } from '#providers/anthropic/anthropic-models';
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
import { UsageLog } from '#usage/usage-log';
import type { AppContext } from './app-context';
import type { AppEdits, AppUndo } from './app-edits';
import { createVaultSearch } from './app-search';

/** @param onModels called with each list of models that the endpoint sends, unless it is empty */
export function createAppAgent(
  context: AppContext,
  conversations: Conversations,
  edits: AppEdits,
  undo: AppUndo,
  onModels: (models: readonly ModelInfo[]) => void,
) {
  const { plugin, machine, notes, metadata, folder, device, mint, report } = context;
  const { settings, changeSettings, secret } = context;
  const { clock, storage: store, fetch } = machine;
  const { changeLog, pending } = edits;
  const { app } = plugin;
  const key = () => secret(settings().apiKeyName);
  // Files are looked at, and notes searched, as the tools may: only once these are made.
  const model = new AnthropicProvider({
    ...{ settings, key, fetch, clock, onModels },
    lookAt: (file) => toolContexts.lookAt(file),
    isOffline: () => !navigator.onLine,
  });
  const calls = new SharedRateLimit({
    ...{ provider: model, clock },
    target: (id) => `${settings().endpoint} ${key() ?? ''} ${id}`,
  });
  const price = (id: string) => priceOf(id, settings());
  const usage = new UsageLog({ store, folder, device, clock, price, report });
  conversations.subscribe((event, conversation) => usage.take(event, conversation));
  // It must also close if no turn was ever run.
  plugin.register(() => usage.close());
  const search = createVaultSearch(context, edits, () => toolContexts);
  const prompts = new SentPrompts(store, `${folder}/prompts`, sha256);
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
    model: (onSpent) => usage.metered(calls, 'search', SEARCH_FEE_USD, onSpent),
    key: () => secret(settings().searchKeyName),
  });
  const toolContexts: ToolContexts = new ToolContexts({
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
    undo: undo.runner,
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
    model: calls,
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
    model,
    calls,
    usage,
    search,
    key,
    hasKey: () => key() !== null || settings().compatibility,
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
