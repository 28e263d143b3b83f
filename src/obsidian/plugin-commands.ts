/** Ways into the chat from outside: commands and `obsidian://parley` links. */
import * as t from '#messages/command-messages';
import type { Plugin } from 'obsidian';
import type { Agent } from '#ports/app/agent';
import type { ChatCommand } from '#ports/app/chat-commands';
import type { ChatPanel } from './panel';
import { ExportDialog } from './export-dialog';
import { type MountSources, SourcesDialog } from './sources-dialog';
import { activeMarkdownView } from './vault/open-editors';

/** Commands that only need a chat. */
const COMMANDS: readonly (readonly [id: string, name: string, command: ChatCommand])[] = [
  ['open-chat', t.openChat, { do: 'focus' }],
  ['new-chat', t.newChat, { do: 'new' }],
  ['search-chats', t.searchChats, { do: 'show-chats' }],
  ['show-inbox', t.showRequests, { do: 'show-inbox' }],
  ['retry-failed', t.retryFailed, { do: 'retry-failed' }],
  ['show-usage', t.showUsage, { do: 'show-usage' }],
  ['show-keys', t.showKeys, { do: 'show-keys' }],
  ['pause', t.pauseOrResume, { do: 'pause' }],
  ['choose-mode', t.changeMode, { do: 'choose-mode' }],
  ['read-only', t.useReadOnly, { do: 'set-mode', mode: 'read-only' }],
  ['review', t.useReview, { do: 'set-mode', mode: 'review' }],
  ['apply', t.useApply, { do: 'set-mode', mode: 'apply' }],
  ['choose-model', t.changeModel, { do: 'choose-model' }],
  ['focus-message', t.focusMessage, { do: 'focus-message' }],
  ['copy-answer', t.copyAnswer, { do: 'copy-answer' }],
  ['insert-answer', t.insertAnswer, { do: 'put-answer', goal: 'cursor' }],
  ['append-answer', t.appendAnswer, { do: 'put-answer', goal: 'end' }],
  ['note-answer', t.createNoteFromAnswer, { do: 'put-answer', goal: 'new' }],
  ['ask-again', t.regenerate, { do: 'ask-again' }],
  ['rename-chat', t.renameChat, { do: 'rename' }],
  ['pin-chat', t.pinChat, { do: 'pin' }],
  ['archive-chat', t.archiveChat, { do: 'archive' }],
  ['export-chat', t.exportChat, { do: 'export' }],
  ['delete-chat', t.deleteChat, { do: 'delete' }],
];

/** Commands for the active note. */
const NOTE_COMMANDS: readonly (readonly [
  id: string,
  name: string,
  command: (note: string) => ChatCommand,
])[] = [
  ['attach-note', t.attachNote, (path) => ({ do: 'attach', path })],
  ['note-chats', t.showChatsOfNote, (note) => ({ do: 'show-chats-of', note })],
  ['show-note-history', t.showChangesOfNote, (note) => ({ do: 'show-history-of', note })],
];

export interface PluginCommandDeps {
  readonly panel: ChatPanel;
  /** Resolves when the agent is built; to null if it could not be. */
  agent(): Promise<Agent | null>;
  /** Rejects if the app could not start. */
  mounter(): Promise<{ readonly mountSources: MountSources }>;
}

export function addPluginCommands(
  plugin: Plugin,
  { panel: { inChat, inOpenChat, openAnother }, agent, mounter }: PluginCommandDeps,
): void {
  plugin.registerObsidianProtocolHandler('parley', ({ text }) => {
    void inChat({ do: 'fill', text: text ?? '' });
  });
  for (const [id, name, command] of COMMANDS) {
    plugin.addCommand({ id, name, callback: () => inChat(command) });
  }
  /** A command that is available while a note is active. */
  const addNoteCommand = (id: string, name: string, run: (note: string) => Promise<void>) =>
    plugin.addCommand({
      id,
      name,
      checkCallback: (checking) => {
        const note = activeMarkdownView(plugin.app)?.file?.path;
        if (note !== undefined && !checking) void run(note);
        return note !== undefined;
      },
    });
  for (const [id, name, command] of NOTE_COMMANDS) {
    addNoteCommand(id, name, (note) => inChat(command(note)));
  }
  addNoteCommand('check-sources', t.checkSources, (note) =>
    mounter().then(
      ({ mountSources }) => new SourcesDialog(plugin.app, note, mountSources).open(),
      // A chat says why the app could not start.
      () => inChat({ do: 'focus' }),
    ),
  );
  for (const [id, name, where] of [
    ['open-chat-in-tab', t.openChatInTab, 'tab'],
    ['open-chat-in-window', t.openChatInWindow, 'window'],
  ] as const) {
    plugin.addCommand({ id, name, callback: () => openAnother(where) });
  }
  plugin.addCommand({
    id: 'export-all-chats',
    name: t.exportAllChats,
    callback: async () => {
      const conversations = (await agent())?.conversations;
      if (conversations) new ExportDialog(plugin.app, conversations).open();
    },
  });
  plugin.addCommand({
    id: 'stop',
    name: t.stop,
    callback: async () => {
      // An open chat puts the requests queued behind the stopped turn back into its composer.
      if (!(await inOpenChat({ do: 'stop' }))) await (await agent())?.queue.stop();
    },
  });
}
