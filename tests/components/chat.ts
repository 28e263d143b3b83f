/** The chat panel on a scripted agent, in a page. */
import { render } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { tick } from 'svelte';
import ChatRoot from '#components/chat/ChatRoot.svelte';
import type { MountedChat } from '#ports/app/chat-commands';
import type { SmartHoleStatus } from '#model/smarthole-status';
import type { RequestId } from '#model/ids';
import type { QueuedRequest } from '#model/request';
import type { Settings } from '#model/settings';
import type { DayUsage } from '#ports/app/agent';
import type { ActiveNote } from '#ports/ui';
import { PluginState } from '#stores/plugin-state';
import { ChatState } from '#stores/chat-state';
import { pageUi, type PageUi } from '#workbench/gallery/page-ui';
import type { Scene } from '#workbench/gallery/scene';
import type { Script } from '#workbench/gallery/script';
import type { Reviewed } from '#workbench/gallery/scripted-edits';
import type { ScriptedVault } from '#workbench/gallery/scripted-composing';
import { scriptedAgent, type ScriptedAgent } from '#workbench/gallery/scripted-agent';

export interface ChatOptions {
  readonly entries?: readonly QueuedRequest[];
  /** Requests whose files cannot be written. */
  readonly stuck?: readonly RequestId[];
  readonly settings?: Partial<Settings>;
  /** Settings that another device has saved. */
  readonly incoming?: Partial<Settings>;
  readonly key?: boolean;
  readonly connection?: SmartHoleStatus;
  readonly reviewed?: Reviewed;
  readonly usage?: readonly DayUsage[];
  readonly place?: Scene['place'];
  readonly told?: readonly string[];
  /** Notes to mention, token counts and saved texts. */
  readonly vault?: ScriptedVault;
  readonly reading?: ActiveNote;
  readonly pictures?: Scene['pictures'];
}

export interface OpenedChat {
  readonly agent: ScriptedAgent;
  readonly ui: PageUi;
  readonly panel: PluginState;
  readonly screen: ChatState;
  readonly user: ReturnType<typeof userEvent.setup>;
  readonly run: MountedChat['run'];
  /** Arguments of the agent's calls with this name. */
  asked(verb: string): unknown[];
  /** Runs what waits for the next frame. */
  frame(): Promise<void>;
}

export async function openChat(
  scripts: readonly Script[],
  options: ChatOptions = {},
): Promise<OpenedChat> {
  const {
    entries = [],
    stuck = [],
    settings = {},
    key = true,
    connection,
    reviewed = {},
    told,
  } = options;
  const { usage = [], vault, reading, pictures, incoming } = options;
  const agent = scriptedAgent(scripts, {
    entries,
    stuck,
    settings,
    reviewed,
    usage,
    ...(connection ? { connection } : {}),
    ...(incoming ? { incoming } : {}),
    ...(vault ? { vault } : {}),
  });
  const ui = pageUi({
    key,
    ...(told ? { told } : {}),
    ...(reading ? { reading } : {}),
    ...(pictures ? { pictures } : {}),
  });
  const panel = new PluginState(agent, ui);
  const frames = manualFrames();
  const screen = new ChatState(panel, frames.next);
  // ESLint does not read components, so the exports of ChatRoot are typed here.
  const chat = render(ChatRoot, { panel, screen }).component as unknown as Pick<MountedChat, 'run'>;
  if (typeof options.place === 'string') void chat.run({ do: `show-${options.place}` });
  else if (options.place) void chat.run({ do: 'show-history-of', note: options.place.note });
  await screen.start();
  await tick();
  return {
    agent,
    ui,
    panel,
    screen,
    user: userEvent.setup(),
    run: (command) => chat.run(command),
    asked: (verb) => agent.asked.filter(([name]) => name === verb).map(([, given]) => given),
    async frame() {
      frames.run();
      await tick();
    },
  };
}

/** Frames that the test triggers. */
export function manualFrames() {
  const waiting = new Set<() => void>();
  return {
    get count() {
      return waiting.size;
    },
    next(callback: () => void) {
      waiting.add(callback);
      return () => void waiting.delete(callback);
    },
    run() {
      const now = [...waiting];
      waiting.clear();
      for (const callback of now) callback();
    },
  };
}
