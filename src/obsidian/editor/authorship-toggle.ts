/** Turns the marks of what the agent wrote on and off. */
import * as t from '#messages/edit-messages';
import * as commandText from '#messages/command-messages';
import type { EditorView } from '@codemirror/view';
import { type App, Notice, type Plugin } from 'obsidian';
import type { Agent } from '#ports/app/agent';
import { activeMarkdownView } from '../vault/open-editors';
import {
  authorshipMarks,
  type MarkedEditors,
  hasMarks,
  type MountWhy,
  pathOf,
  showMarks,
  showWhyAtCursor,
} from './authorship-marks';

/** Milliseconds without typing before the marks are computed again. */
const IDLE_MS = 600;

/** Events after which a note may contain other words of the agent. */
const TELLING = new Set(['turn-end', 'edits-decide', 'change-undo']);

export function addAuthorship(
  plugin: Plugin,
  agent: Pick<Agent, 'edits' | 'authorship' | 'subscribe'>,
  mount: MountWhy,
): void {
  const { app } = plugin;
  const marks = new AuthorshipToggle(app, agent);
  plugin.registerEditorExtension(authorshipMarks(marks, mount));
  plugin.addCommand({
    id: 'show-authorship',
    name: commandText.showWritten,
    checkCallback: (checking) => {
      const isPossible = activeMarkdownView(app)?.file != null;
      if (isPossible && !checking) void marks.toggle();
      return isPossible;
    },
  });
  plugin.addCommand({
    id: 'explain-authorship',
    name: commandText.showWhy,
    checkCallback: (checking) => {
      const isPossible = marks.isShown();
      if (isPossible && !checking) marks.showWhy();
      return isPossible;
    },
  });
  plugin.registerEvent(app.vault.on('rename', ({ path }, from) => marks.renamed(from, path)));
  plugin.register(
    agent.subscribe(({ type }) => {
      if (TELLING.has(type)) void marks.refresh();
    }),
  );
  plugin.register(agent.edits.onChange(() => void marks.refresh()));
  plugin.register(() => marks.close());
}

class AuthorshipToggle implements MarkedEditors {
  readonly #app: App;
  readonly #agent: Pick<Agent, 'authorship'>;
  readonly #shown = new Set<string>();
  readonly #editors = new Map<EditorView, () => void>();

  constructor(app: App, agent: Pick<Agent, 'authorship'>) {
    this.#app = app;
    this.#agent = agent;
  }

  close(): void {
    for (const cancel of this.#editors.values()) cancel();
    for (const view of this.#editors.keys()) showMarks(view, []);
    this.#editors.clear();
  }

  isShown(): boolean {
    const note = this.#note();
    return note !== null && this.#shown.has(note);
  }

  async toggle(): Promise<void> {
    const note = this.#note();
    if (note === null) return;
    if (this.#shown.delete(note)) return this.refresh();
    if (activeMarkdownView(this.#app)?.getMode() !== 'source') {
      new Notice(t.onlyWhileEditing);
      return;
    }
    this.#shown.add(note);
    await this.refresh();
    const views = [...this.#editors.keys()].filter((view) => pathOf(view) === note);
    if (!views.some(({ state }) => hasMarks(state))) new Notice(t.nothingLeft);
  }

  showWhy(): void {
    const focused = [...this.#editors.keys()].find(
      (view) => view.hasFocus && pathOf(view) !== null,
    );
    const note = this.#note();
    const view = focused ?? [...this.#editors.keys()].find((each) => pathOf(each) === note);
    if (view && !showWhyAtCursor(view)) new Notice(t.notWritten);
  }

  renamed(from: string, to: string): void {
    if (this.#shown.delete(from)) this.#shown.add(to);
    void this.refresh();
  }

  opened(view: EditorView): void {
    this.#editors.set(view, () => undefined);
    this.changed(view);
  }

  closed(view: EditorView): void {
    this.#editors.get(view)?.();
    this.#editors.delete(view);
  }

  changed(view: EditorView): void {
    this.#editors.get(view)?.();
    const path = pathOf(view);
    if (!hasMarks(view.state) && (path === null || !this.#shown.has(path))) return;
    // The main window may be hidden, and the timers of a hidden window are late.
    const own = view.dom.ownerDocument.defaultView ?? window;
    const timer = own.setTimeout(() => void this.#mark(view), IDLE_MS);
    this.#editors.set(view, () => own.clearTimeout(timer));
  }

  async refresh(): Promise<void> {
    await Promise.all([...this.#editors.keys()].map((view) => this.#mark(view)));
  }

  async #mark(view: EditorView): Promise<void> {
    const path = pathOf(view);
    if (path === null || !this.#shown.has(path)) return showMarks(view, []);
    const { doc } = view.state;
    const marks = await this.#agent.authorship.ranges(path, doc.toString()).catch(() => []);
    if (!this.#editors.has(view) || pathOf(view) !== path) return;
    // The user typed meanwhile, or is composing a character.
    if (view.state.doc !== doc || view.composing) return this.changed(view);
    showMarks(view, this.#shown.has(path) ? marks : []);
  }

  #note(): string | null {
    return activeMarkdownView(this.#app)?.file?.path ?? null;
  }
}
