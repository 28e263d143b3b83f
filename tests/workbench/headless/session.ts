/** One vault with the built plugin in this process, driven by command lines. */
import type { Agent } from '#ports/app/agent';
import { isLive } from '#model/event';
import { bootHeadless } from '../boot-headless';
import { savedSecrets } from '../saved-secrets';
import { runCommand, type CommandTarget } from './commands';
import type { Options } from './options';

export interface Session {
  readonly agent: Agent;
  /** Errors that event handlers threw in this process. */
  readonly errors: readonly unknown[];
  /** Runs a command line; its reply is said, as events are. */
  run(line: string): Promise<'quit' | undefined>;
  /** Unloads the plugin and waits for pending writes. */
  close(): Promise<void>;
}

/**
 * Resolves once the plugin is ready. `say` gets replies, notices and events, also those of turns
 * that continue before the plugin is ready.
 */
export async function openSession(
  { vault, apiUrl, apiKey, smartHolePort, settings }: Options,
  pluginDir: string,
  say: (message: object) => void,
): Promise<Session> {
  const host = await bootHeadless({
    vault,
    pluginDir,
    onNotice: ({ text }) => say({ notice: text }),
    secrets: { ...savedSecrets(vault), 'parley-api-key': apiKey ?? 'no-key-needed' },
    onLoaded: (plugin) => {
      const loaded = plugin as unknown as CommandTarget;
      loaded.overrideSettings({
        // Scripts expect requests to be applied without review.
        panelMode: 'apply',
        ...(apiUrl === null ? {} : { endpoint: apiUrl }),
        // Connects to a SmartHole only on request, since one that runs on this computer belongs to
        // someone else.
        ...(smartHolePort === null ? { smartHole: false } : { smartHole: true, smartHolePort }),
        ...settings,
      });
      void loaded.agent.then((agent) =>
        agent.subscribe((event) => {
          if (!isLive(event)) say({ event });
        }),
      );
    },
  });
  const driven = host.plugin as unknown as CommandTarget;
  await driven.ready;
  const agent = await driven.agent;
  return {
    agent,
    errors: host.errors,
    run: (line) => runCommand(line, agent, say),
    close: () => host.close(),
  };
}
