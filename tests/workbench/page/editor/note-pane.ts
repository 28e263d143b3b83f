/** The CodeMirror editor of a note, with its highlighting. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import {
  Annotation,
  Compartment,
  EditorState,
  Transaction,
  type Extension,
} from '@codemirror/state';
import { EditorView, drawSelection, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { difference } from './cm-editor';

export interface NotePane {
  readonly cm: EditorView;
  /** Replaces the whole text and clears the undo history. */
  load(text: string): void;
  /** Applies a text from elsewhere by changing only what differs. */
  take(text: string): void;
  setExtensions(extensions: Extension[]): void;
}

export interface PaneEvents {
  /** Called when the text was changed in this pane. */
  changed(): void;
  /** Called after every change of the text, from this pane or elsewhere. */
  shown(): void;
}

/** Marks changes that come from another pane or the file. */
const elsewhere = Annotation.define<true>();

const looks = HighlightStyle.define([
  { tag: tags.heading1, class: 'HyperMD-header-1' },
  { tag: tags.heading2, class: 'HyperMD-header-2' },
  { tag: tags.heading3, class: 'HyperMD-header-3' },
  { tag: tags.heading, class: 'cm-header' },
  { tag: tags.strong, class: 'cm-strong' },
  { tag: tags.emphasis, class: 'cm-em' },
  { tag: tags.strikethrough, class: 'cm-strikethrough' },
  { tag: tags.monospace, class: 'cm-inline-code' },
  { tag: [tags.link, tags.url], class: 'cm-link' },
  { tag: tags.quote, class: 'cm-quote' },
  { tag: [tags.processingInstruction, tags.meta], class: 'cm-formatting' },
]);

type MarkdownExtensions = NonNullable<Parameters<typeof markdown>[0]>['extensions'];

/** Parses frontmatter; otherwise the line above its end would be a heading. */
const frontMatter: MarkdownExtensions = {
  defineNodes: [{ name: 'FrontMatter', block: true, style: tags.meta }],
  parseBlock: [
    {
      name: 'FrontMatter',
      before: 'HorizontalRule',
      parse(context, line) {
        if (context.lineStart !== 0 || line.text !== '---') return false;
        let isOpen = true;
        while (isOpen && context.nextLine()) isOpen = line.text !== '---';
        context.nextLine();
        context.addElement(context.elt('FrontMatter', 0, context.prevLineEnd()));
        return true;
      },
    },
  ],
};

export function createNotePane(parent: HTMLElement, { changed, shown }: PaneEvents): NotePane {
  const slot = new Compartment();
  const listener = EditorView.updateListener.of(({ docChanged, transactions }) => {
    if (!docChanged) return;
    if (!transactions.some((each) => each.annotation(elsewhere))) changed();
    shown();
  });
  const stateOf = (doc: string, own: Extension[]): EditorState =>
    EditorState.create({
      doc,
      extensions: [
        history(),
        drawSelection(),
        EditorState.allowMultipleSelections.of(true),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': 'Note', spellcheck: 'false' }),
        markdown({ base: markdownLanguage, extensions: frontMatter }),
        syntaxHighlighting(looks),
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        slot.of(own),
        listener,
      ],
    });
  let current: Extension[] = [];
  const cm = new EditorView({ parent, state: stateOf('', current) });
  return {
    cm,
    load(text) {
      cm.setState(stateOf(text, current));
    },
    take(text) {
      const changes = difference(cm.state.doc.toString(), text);
      if (changes) cm.dispatch({ changes, annotations: elsewhere.of(true) });
    },
    setExtensions(next) {
      current = next;
      cm.dispatch({
        effects: slot.reconfigure(next),
        annotations: Transaction.addToHistory.of(false),
      });
    },
  };
}
