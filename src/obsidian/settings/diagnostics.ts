/**
 * A report for bug reports: versions, settings, counts, states of connections, failures and the
 * log. It has no text that the user, a model or a note wrote, no name or path, and no secret.
 */
import { apiVersion, Platform } from 'obsidian';
import { ANTHROPIC_ENDPOINT } from '#model/setting-choices';
import { DEFAULT_SETTINGS, type Settings } from '#model/settings';
import type { Agent } from '#ports/app/agent';

type ReportedAgent = Pick<Agent, 'settings' | 'mcpServer' | 'mcpServers' | 'state' | 'log'>;

export async function diagnostics(agent: ReportedAgent, version: string): Promise<string> {
  const settings = Object.entries(agent.settings.current()) as [keyof Settings, unknown][];
  const { conversations, inbox, connection, edits, problems } = await agent.state();
  const servers = await agent.mcpServers.status();
  const failures = inbox.flatMap((queued) =>
    queued.state === 'failed' ? queued.failure.kind : [],
  );
  const report = {
    versions: { parley: version, obsidian: apiVersion, system: systemName() },
    settings: Object.fromEntries(settings.map(([name, value]) => [name, described(name, value)])),
    counts: {
      chats: conversations.length,
      requests: inbox.length,
      notesWithPendingEdits: edits.length,
      problems: problems.length,
    },
    pendingSettings: agent.settings.pending().map(({ name }) => name),
    connections: {
      smartHole: connection.kind,
      mcpServer: agent.mcpServer.state.kind,
      mcpServers: tally([...servers.values()].map(({ kind }) => kind)),
    },
    failures: tally(failures),
    log: agent.log(),
  };
  return JSON.stringify(report, null, 2);
}

/** Settings whose texts are choices from a list. */
const CHOICES: ReadonlySet<keyof Settings> = new Set([
  'thinking',
  'panelMode',
  'smartHoleMode',
  'mcpServerMode',
  'toolPresentation',
  'editableScope',
  'searchProvider',
]);

/** Numbers and choices, log levels included, as they are; of anything else, only whether it is set and how many. */
function described(name: keyof Settings, value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean' || CHOICES.has(name)) return value;
  if (name === 'logLevels') return value;
  if (name === 'endpoint') return value === ANTHROPIC_ENDPOINT ? 'Anthropic' : 'other';
  if (name === 'model') return /^claude-[a-z0-9-]+$/.test(String(value)) ? value : 'other';
  if (typeof value === 'object' && value !== null) return `${Object.keys(value).length} entries`;
  if (value === DEFAULT_SETTINGS[name]) return 'default';
  return value === '' ? 'empty' : 'set';
}

function tally(kinds: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

function systemName(): string {
  if (Platform.isMacOS) return 'macOS';
  return Platform.isWin ? 'Windows' : 'Linux or other';
}
