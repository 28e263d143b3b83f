/** Text about settings in the synced file that wait for the user of this device. */
import type { McpServer } from '#model/mcp-server';
import type { Settings } from '#model/settings';
import type { PendingSetting } from '#model/settings-in-force';
import { codePointName } from '#text/invisible-characters';
import * as t from './settings-messages';

export const heading = (count: number) =>
  count === 1
    ? 'A setting was changed outside this device. It doesn’t apply here until you allow it:'
    : 'Settings were changed outside this device. They don’t apply here until you allow them:';
export const allow = 'Allow';
export const keepOwn = 'Keep mine';
export const openAllFirst = 'Show all of each value first.';

const LABELS: { readonly [Name in keyof Settings]?: string } = {
  endpoint: 'Endpoint, which receives your requests, text from your notes and the API key',
  apiKeyName: 'Secret that the endpoint receives as API key',
  compatibility: t.compatibility,
  model: t.model,
  embeddingEndpoint: 'Embedding endpoint, which receives the text of your notes',
  embeddingKeyName: 'Secret that the embedding endpoint receives',
  embeddingModel: t.embeddingModel,
  searchProvider: 'Web search provider, which receives what the agent searches for',
  searchKeyName: 'Secret that the web search provider receives',
  mcpServers: 'MCP servers: programs that run on your computer, and addresses that receive data',
  mcpServerEnabled: 'Other programs on this computer can use Parley’s tools and read your notes',
  mcpServerWrites: 'Other programs can also change your notes',
  mcpServerMode: t.mcpMode,
  smartHole: 'Take requests from SmartHole',
  smartHolePort: t.port,
  tools: 'Tools that run without asking, or after asking',
  disabledAgents: 'Groups of tools that are off',
  commands: 'Obsidian commands that the agent may run',
  excludedFolders: t.excludedFolders,
  excludedTag: t.excludedTag,
  editableScope: t.editableNotes,
  contextDepth: 'Links to follow from attached notes; those notes are sent too',
  panelMode: t.chatMode,
  smartHoleMode: t.voiceMode,
  allowAdd: 'The agent may add to notes',
  allowReplace: 'The agent may move, delete and replace',
  allowCreate: 'The agent may create notes and folders',
  allowNavigate: 'The agent may open notes and run allowed commands',
  templateFolder: t.templates,
  customToolFolder: t.customToolFolder,
  promptFolder: t.prompts,
  assistantName: t.assistantName,
  wireName: t.wireName,
  stepsPerTurn: t.stepsPerTurn,
  tokensPerTurn: t.tokensPerTurn,
  tokenWarning: t.largeMessages,
  moneyPerTurn: `${t.costPerTurn} in US dollars (0: no limit)`,
  moneyPerDay: `${t.costPerDay} in US dollars (0: no limit)`,
  prices: `${t.prices} in US dollars`,
  conversationsKept: `${t.keptChats}; older ones are deleted`,
  changeLogMegabytes: `${t.undoSize} in megabytes; older changes can’t be undone`,
};

/** @param servers those of the settings in force, for the names of their tools */
export function describePending(
  { name, own, saved }: PendingSetting,
  servers: readonly McpServer[],
): { readonly name: string; readonly text: string } {
  const [before, after] = [own, saved].map((value) => entriesOf(value, servers)) as [
    string[],
    string[],
  ];
  const lines = [
    ...after.filter((each) => !before.includes(each)).map((each) => `New: ${each}`),
    ...before.filter((each) => !after.includes(each)).map((each) => `No longer: ${each}`),
  ];
  return { name: LABELS[name] ?? name, text: lines.join('\n') };
}

/** One line each, so that no value can pose as another. */
function entriesOf(value: unknown, servers: readonly McpServer[]): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => entriesOf(each, servers));
  if (typeof value === 'boolean') return [value ? 'on' : 'off'];
  if (typeof value !== 'object' || value === null) return [oneLine(String(value)) || 'none'];
  if ('enabled' in value) {
    const server = value as McpServer;
    return server.enabled ? [`${oneLine(server.name)}: ${startedBy(server).join(' ')}`] : [];
  }
  return Object.entries(value).map(([key, of]) => {
    const text = typeof of === 'string' ? of : JSON.stringify(of);
    return `${oneLine(toolName(key, servers))}: ${oneLine(text)}`;
  });
}

/** A command with its variables and arguments, or an address with its token, each on one line. */
export function startedBy(server: McpServer): string[] {
  if (server.kind === 'http') {
    const token = server.secret === '' ? [] : [`Authorization: Bearer {{${server.secret}}}`];
    return [server.url, ...token].map(oneLine);
  }
  const variables = Object.entries(server.env).map(([name, value]) => `${name}=${value}`);
  return [...variables, server.command, ...server.args].map((each) => {
    const line = oneLine(each);
    return /[\s"']/.test(line) || line === '' ? JSON.stringify(line) : line;
  });
}

/** An address as it would be requested, in which no look-alike letter can hide another host. */
function oneLine(text: string): string {
  const address = /^https?:/i.test(text) && URL.canParse(text) ? new URL(text).href : text;
  const plain = address.endsWith('/') && address !== text ? address.slice(0, -1) : address;
  return plain.replace(/[\t\n\r]/g, (each) => `⟨${codePointName(each)}⟩`);
}

/** The name of a tool; of an MCP server's, also that of the server instead of its id. */
function toolName(key: string, servers: readonly McpServer[]): string {
  const [id, ...name] = key.split(' ');
  const server = servers.find((each) => each.id === id);
  return server && name.length > 0 ? `${server.name}: ${name.join(' ')}` : key;
}
