/** What the `/` menu offers. */
import * as t from '#messages/composer-messages';
import { mentionText } from '#model/attachment';
import { SLASH_COMMANDS } from '#model/quick-command';
import { MODES } from '#model/setting-choices';
import type { PromptNote } from '#ports/app/composer-port';
import type { ChatState } from '#stores/chat-state';
import type { ComposerDraft } from '#stores/composer-state';
import type { PluginState } from '#stores/plugin-state';
import { fittingSuggestions, type Suggestion } from './mentions';
import { MODE_WORDS } from './modes-and-models';

interface Place {
  readonly panel: PluginState;
  readonly view: ChatState;
  readonly draft: ComposerDraft;
  /** Asks for a name to save the attachments under. */
  askName(): void;
  newChat(): void;
  chooseModel(): void;
  showUsage(): void;
  readonly prompts: readonly PromptNote[];
}

type Source = (place: Place) => readonly Suggestion[];

const GROUPS: readonly (readonly [name: string, sources: readonly Source[]])[] = [
  [t.promptGroup, [builtInPrompts, prompts, addPrompts]],
  [t.presetGroup, [presets]],
  [t.chatGroup, [chatCommands]],
  [t.undoGroup, [quickCommands]],
  [t.modeGroup, [modes]],
];

/** In groups while nothing is typed, and by match afterwards. */
export function commandsFor(query: string, place: Place): readonly Suggestion[] {
  const all = GROUPS.flatMap(([group, sources]) =>
    sources
      .flatMap((source) => source(place))
      .map((each) => (query.trim() === '' ? { ...each, group } : each)),
  );
  return fittingSuggestions(all, query, place.panel.ui.fuzzy);
}

function builtInPrompts({ panel }: Place): readonly Suggestion[] {
  const { note } = panel.reading;
  return BUILT_IN_PROMPTS.map(({ icon, title, isAboutNote, text }): Suggestion => {
    const prompt = { ...command(icon, title, () => undefined), words: text(subjectOf(note)) };
    if (!isAboutNote) return prompt;
    return note === null
      ? { ...prompt, asksForNote: true }
      : { ...prompt, attachment: { kind: 'note', path: note } };
  });
}

/** Leads to the folder of prompt notes until there is one. */
function addPrompts({ panel }: Place): readonly Suggestion[] {
  if (panel.settings.now.promptFolder !== '') return [];
  const open = () => panel.ui.openSettings('promptFolder');
  return [{ ...command('folder-plus', t.addPrompts, open), aside: t.addPromptsDetail }];
}

function prompts({ panel, prompts }: Place): readonly Suggestion[] {
  return prompts.map(({ path, name }) => ({
    ...command('text-quote', name, () => undefined),
    id: `prompt ${path}`,
    aside: folderBelow(path, panel.settings.now.promptFolder),
    load: () => panel.agent.composer.promptText(path),
  }));
}

/** A note's path within a folder; '' if it is directly in it. */
function folderBelow(path: string, folder: string): string {
  const depth = folder.split('/').filter((name) => name !== '').length;
  return path.split('/').slice(depth, -1).join('/');
}

function presets({ panel, draft }: Place): readonly Suggestion[] {
  return panel.settings.now.contextPresets.map(({ name, attachments }) => ({
    ...command('layers', name, () => draft.attach(...attachments)),
    id: `preset ${name}`,
    aside: attachments.length === 1 ? t.oneAttachment : t.attachmentCount(attachments.length),
  }));
}

function chatCommands(place: Place): readonly Suggestion[] {
  const { panel, view, draft } = place;
  return [
    command('square-pen', t.newChat, () => place.newChat()),
    ...(view.canStop ? [command('square', t.stop, () => void view.stop())] : []),
    ...(view.paused ? [command('play', t.resume, () => void view.actions.resume())] : []),
    ...(view.running ? [command('pause', t.pause, () => void view.actions.pause())] : []),
    ...(draft.attachments.length > 0 ? [command('save', t.savePreset, () => place.askName())] : []),
    command('cpu', t.changeModel, () => place.chooseModel()),
    command('chart-column', t.usage, () => place.showUsage()),
    command('settings', t.settings, () => panel.ui.openSettings()),
  ];
}

/** Carried out by Parley itself, so they work without a model. */
function quickCommands({ view }: Place): readonly Suggestion[] {
  const quick = (icon: string, title: string, name: keyof typeof SLASH_COMMANDS) =>
    command(icon, title, () => void view.send(SLASH_COMMANDS[name]));
  return [
    quick('undo-2', t.undoLastChange, 'undo'),
    quick('history', t.whatChanged, 'what-changed'),
    quick('hourglass', t.whatIsWaiting, 'waiting'),
    quick('calendar-clock', t.whatIsDue, 'due-today'),
  ];
}

function modes({ view }: Place): readonly Suggestion[] {
  return MODES.filter((mode) => mode !== view.mode).map((mode) => ({
    ...command(MODE_WORDS[mode].icon, MODE_WORDS[mode].name, () => void view.actions.setMode(mode)),
    aside: MODE_WORDS[mode].what,
  }));
}

function command(icon: string, title: string, run: () => void): Suggestion {
  return { id: title, icon, title, marks: [], aside: '', words: '', run };
}

/** A prompt that the menu offers out of the box. It fills the composer and sends nothing. */
interface BuiltInPrompt {
  readonly icon: string;
  readonly title: string;
  /** Whether the prompt is about a note. */
  readonly isAboutNote: boolean;
  text(subject: string): string;
}

const BUILT_IN_PROMPTS: readonly BuiltInPrompt[] = [
  {
    icon: 'list',
    title: t.promptSummarize,
    isAboutNote: true,
    text: t.promptSummarizeText,
  },
  {
    icon: 'waypoints',
    title: t.promptRelated,
    isAboutNote: true,
    text: t.promptRelatedText,
  },
  {
    icon: 'spell-check',
    title: t.promptFixWriting,
    isAboutNote: true,
    text: t.promptFixWritingText,
  },
  {
    icon: 'calendar-check',
    title: t.promptDailyReview,
    isAboutNote: false,
    text: () => t.promptDailyReviewText,
  },
];

/** How a prompt names the open note; `@`, which opens the list of notes, if none is open. */
function subjectOf(note: string | null): string {
  return note === null ? '@' : mentionText({ kind: 'note', path: note });
}
