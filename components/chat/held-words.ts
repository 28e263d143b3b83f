/** What a changed setting from another device would mean here, in sentences. */
import * as settings from '#messages/settings-messages';
import * as t from '#messages/trust-messages';
import type { McpServer } from '#model/mcp-server';
import type { Mode } from '#model/settings';
import {
  changedPrices,
  higherLimits,
  isDisabledHere,
  looserTools,
  shownFolders,
  unknownServers,
  type GuardName,
  type HeldChange,
  type LimitName,
} from '#model/trusted-settings';
import { capitalize } from '#text/shorten';

type Words = (change: HeldChange) => readonly string[];

const MODES: Record<Mode, string> = {
  'read-only': settings.readOnly,
  review: settings.review,
  apply: settings.apply,
};

const WORDS: Record<GuardName, Words> = {
  endpoint: ({ own, incoming }) => [
    t.endpoint(addressOf(incoming.endpoint), incoming.apiKeyName, addressOf(own.endpoint)),
  ],
  embedding: ({ incoming }) => [
    t.embedding(addressOf(incoming.embeddingEndpoint), incoming.embeddingKeyName),
  ],
  webSearch: ({ incoming: { searchProvider, searchKeyName } }) => [
    t.webSearch(capitalize(searchProvider), searchProvider === 'anthropic' ? '' : searchKeyName),
  ],
  mcpServers: ({ own, incoming }) =>
    unknownServers(own, incoming).map((server) =>
      isDisabledHere(own, server) ? t.serverOn(server.name) : serverWords(server),
    ),
  mcpServer: ({ incoming }) => [
    t.serving(incoming.mcpServerWrites && incoming.mcpServerMode !== 'read-only'),
  ],
  smartHole: ({ incoming }) => [t.smartHole(incoming.smartHolePort)],
  tools: ({ own, incoming }) =>
    looserTools(own, incoming).map(({ tool, to }) => {
      const name = toolName(tool, incoming.mcpServers);
      return to === 'allow' ? t.toolAllowed(name) : t.toolAsks(name);
    }),
  disabledAgents: ({ own, incoming }) => missing(own, incoming, 'disabledAgents').map(t.groupOn),
  commands: ({ own, incoming }) => missing(incoming, own, 'commands').map(t.command),
  excludedFolders: ({ own, incoming }) => shownFolders(own, incoming).map(t.folderShown),
  excludedTag: ({ own }) => [t.tagShown(own.excludedTag)],
  editableScope: ({ incoming }) => [t.editable(incoming.editableScope)],
  contextDepth: ({ incoming }) => [t.linkedNotes(incoming.contextDepth)],
  panelMode: ({ incoming }) => [t.chatMode(MODES[incoming.panelMode])],
  smartHoleMode: ({ incoming }) => [t.voiceMode(MODES[incoming.smartHoleMode])],
  allowAdd: () => [t.canAdd],
  allowReplace: () => [t.canReplace],
  allowCreate: () => [t.canCreate],
  allowNavigate: () => [t.canNavigate],
  templateFolder: ({ incoming: { templateFolder } }) => [
    templateFolder === '' ? t.defaultTemplates : t.templates(templateFolder),
  ],
  customToolFolder: ({ incoming }) => [t.customTools(incoming.customToolFolder)],
  promptFolder: ({ incoming }) => [t.prompts(incoming.promptFolder)],
  assistantName: ({ incoming: { assistantName, wireName } }) => [t.names(assistantName, wireName)],
  limits: ({ own, incoming }) =>
    higherLimits(own, incoming).map((name) => limitWords(name, incoming[name])),
  prices: ({ own, incoming }) =>
    changedPrices(own, incoming).map((model) => {
      const price = Object.hasOwn(incoming.prices, model) ? incoming.prices[model] : undefined;
      return price ? t.price(model, dollars(price.input), dollars(price.output)) : t.noPrice(model);
    }),
  conversationsKept: ({ incoming }) => [t.keptChats(incoming.conversationsKept)],
  changeLogMegabytes: ({ incoming }) => [t.undoSize(incoming.changeLogMegabytes)],
};

const LIMIT_NAMES: Record<Exclude<LimitName, 'tokenWarning'>, string> = {
  stepsPerTurn: settings.stepsPerTurn,
  tokensPerTurn: settings.tokensPerTurn,
  moneyPerTurn: settings.costPerTurn,
  moneyPerDay: settings.costPerDay,
  readLines: settings.linesPerRead,
  readCharacters: settings.charactersPerRead,
  readLineCharacters: settings.charactersPerLine,
};

function limitWords(name: LimitName, value: number): string {
  if (name === 'tokenWarning') return t.warning(value.toLocaleString('en'));
  const label = LIMIT_NAMES[name];
  if (name !== 'moneyPerTurn' && name !== 'moneyPerDay') {
    return t.higherLimit(label, value.toLocaleString('en'));
  }
  return value === 0 ? t.noLimit(label) : t.higherLimit(label, dollars(value));
}

function dollars(amount: number): string {
  return `$${amount.toLocaleString('en', { maximumFractionDigits: 6 })}`;
}

export function heldWords(change: HeldChange): readonly string[] {
  return WORDS[change.guard](change).map(visible);
}

/** As it would be requested, in which no look-alike letter can hide another host. */
function addressOf(url: string): string {
  return URL.canParse(url) ? new URL(url).href.replace(/\/$/, '') : url;
}

function serverWords(server: McpServer): string {
  if (server.kind === 'http') {
    return t.remoteServer(server.name, addressOf(server.url), server.secret);
  }
  const variables = Object.entries(server.env).map(([name, value]) => `${name}=${quoted(value)}`);
  const words = [...variables, ...[server.command, ...server.args].map(quoted)];
  return t.program(server.name, words.join(' '));
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}

/** The tool's own name; a tool of an MCP server is named by its server's id as well. */
function toolName(key: string, servers: readonly McpServer[]): string {
  const [id, ...name] = key.split(' ');
  const server = servers.find((each) => each.id === id);
  return name.length === 0 ? key : `${server?.name ?? id ?? ''}: ${name.join(' ')}`;
}

function missing(
  whole: HeldChange['own'],
  part: HeldChange['own'],
  list: 'disabledAgents' | 'commands',
): readonly string[] {
  return whole[list].filter((each) => !part[list].includes(each));
}

/** Shows characters that could reorder or hide a part of the sentence. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    return `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`;
  });
}
