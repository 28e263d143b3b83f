/** The bar above the text of each open note with pending edits, in every window. */
import { type App, MarkdownView, type Plugin } from 'obsidian';
import type { EditsPort, MountedNoteBar, NoteBarHost } from '#ports/app/edits-port';
import type { EditFocus } from './edit-focus';
import type { EditNavigation } from './edit-navigation';

export interface NoteBarDeps {
  readonly edits: Pick<EditsPort, 'pending' | 'onChange'>;
  readonly focus: EditFocus;
  readonly navigation: EditNavigation;
  mount(element: HTMLElement, host: NoteBarHost): Promise<MountedNoteBar>;
}

export function addNoteBars(plugin: Plugin, deps: NoteBarDeps): void {
  const { app } = plugin;
  const bars = new NoteBars(app, deps);
  plugin.registerEvent(app.workspace.on('layout-change', () => bars.look()));
  plugin.registerEvent(app.workspace.on('file-open', () => bars.look()));
  plugin.register(deps.edits.onChange(() => bars.look()));
  plugin.register(deps.navigation.onEnter((view, edit) => bars.showAt(view, edit)));
  plugin.register(() => bars.close());
  bars.look();
}

class NoteBars {
  readonly #app: App;
  readonly #deps: NoteBarDeps;
  readonly #bars = new Map<MarkdownView, NoteBarElement>();

  constructor(app: App, deps: NoteBarDeps) {
    this.#app = app;
    this.#deps = deps;
  }

  /** Adds, moves and removes bars as the open notes and their edits need it. */
  look(): void {
    const pending = new Set(
      this.#deps.edits.pending().flatMap(({ path, edits }) => (edits.length > 0 ? [path] : [])),
    );
    const shown = notesIn(this.#app);
    for (const [view, bar] of this.#bars) {
      const note = shown.get(view);
      const isOther = note !== bar.note && (note === undefined || !pending.has(note));
      if (isOther) this.#remove(view);
    }
    for (const [view, note] of shown) {
      if (!pending.has(note)) continue;
      const bar = this.#bars.get(view);
      if (bar) bar.show(note);
      else this.#add(view, note);
    }
  }

  showAt(view: MarkdownView, edit: string): void {
    this.#bars.get(view)?.showAt(edit);
  }

  close(): void {
    for (const view of [...this.#bars.keys()]) this.#remove(view);
  }

  #add(view: MarkdownView, note: string): void {
    const { focus, navigation, mount } = this.#deps;
    const bar = new NoteBarElement(view, note, { focus, navigation });
    this.#bars.set(view, bar);
    bar.fill((element) =>
      mount(element, {
        note,
        move: (way) => {
          this.#app.workspace.setActiveLeaf(view.leaf, { focus: false });
          void navigation.go(way);
        },
        onresize: () => bar.keepText(),
        // Called while the component draws itself.
        onempty: () => queueMicrotask(() => this.#bars.get(view) === bar && this.#remove(view)),
      }),
    );
  }

  #remove(view: MarkdownView): void {
    this.#bars.get(view)?.remove();
    this.#bars.delete(view);
  }
}

function notesIn({ workspace }: App): Map<MarkdownView, string> {
  const notes = new Map<MarkdownView, string>();
  for (const { view } of workspace.getLeavesOfType('markdown')) {
    // A leaf that was never shown holds a placeholder view.
    if (view instanceof MarkdownView && view.file) notes.set(view, view.file.path);
  }
  return notes;
}

/** What scrolls the text in an editor or a reading view. */
const SCROLLERS = '.cm-scroller, .markdown-preview-view, .markdown-reading-view';

class NoteBarElement {
  readonly #view: MarkdownView;
  readonly #deps: Pick<NoteBarDeps, 'focus' | 'navigation'>;
  readonly #element: HTMLElement;
  #note: string;
  #mounted: Promise<MountedNoteBar> | null = null;
  #height = 0;

  constructor(view: MarkdownView, note: string, deps: Pick<NoteBarDeps, 'focus' | 'navigation'>) {
    this.#view = view;
    this.#note = note;
    this.#deps = deps;
    // In the view's own window.
    this.#element = view.containerEl.createDiv('parley-note-bar');
    view.containerEl.insertBefore(this.#element, view.contentEl);
    this.#element.addEventListener('keydown', this.#pressed);
    view.containerEl.addEventListener('focusin', this.#entered);
  }

  get note(): string {
    return this.#note;
  }

  fill(mount: (element: HTMLElement) => Promise<MountedNoteBar>): void {
    this.#mounted = mount(this.#element);
  }

  show(note: string): void {
    if (note === this.#note) return;
    this.#note = note;
    void this.#mounted?.then((mounted) => mounted.show(note));
  }

  showAt(edit: string): void {
    void this.#mounted?.then((mounted) => mounted.showAt(edit));
  }

  remove(): void {
    const isFocused = this.#element.contains(this.#element.ownerDocument.activeElement);
    this.#view.containerEl.removeEventListener('focusin', this.#entered);
    this.#element.remove();
    this.keepText();
    if (isFocused) this.#deps.focus.enterText(this.#view);
    void this.#mounted?.then((mounted) => mounted.close());
  }

  readonly #entered = ({ target }: FocusEvent): void => {
    const edit = (target as Element).closest<HTMLElement>('[data-edit]')?.dataset['edit'];
    if (edit !== undefined) this.#deps.navigation.enter(this.#view, edit);
  };

  readonly #pressed = ({ key, defaultPrevented }: KeyboardEvent): void => {
    if (key === 'Escape' && !defaultPrevented) this.#deps.focus.enterText(this.#view);
  };

  /**
   * Call when the bar may have another height. Scrolls by what the bar has grown, so that the text stays where
   * the user reads it. At the top, the bar moves the text down instead of covering its first lines.
   */
  keepText(): void {
    const grown = this.#element.offsetHeight - this.#height;
    if (grown === 0) return;
    this.#height += grown;
    const scrollers = this.#view.contentEl.querySelectorAll(SCROLLERS);
    const scroller = [...scrollers].find((each) => each.scrollHeight > each.clientHeight);
    if (scroller && scroller.scrollTop > 0) scroller.scrollTop += grown;
  }
}
