/** The CodeMirror under a note, and its looks. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, Transaction, type Extension } from '@codemirror/state';
import { EditorView, drawSelection, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export interface NotePane {
  readonly cm: EditorView;
  /** Puts another text in place of all, which is no step of undo. */
  load(text: string): void;
  setExtensions(extensions: Extension[]): void;
}

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

/** Otherwise the line above its end would be a heading. */
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

export function createNotePane(
  parent: HTMLElement,
  extensions: Extension[],
  onChange: () => void,
): NotePane {
  const slot = new Compartment();
  let isLoading = false;
  const listener = EditorView.updateListener.of(({ docChanged }) => {
    if (docChanged && !isLoading) onChange();
  });
  const stateOf = (doc: string, own: Extension[]): EditorState =>
    EditorState.create({
      doc,
      extensions: [
        history(),
        drawSelection(),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': 'Note', spellcheck: 'false' }),
        markdown({ base: markdownLanguage, extensions: frontMatter }),
        syntaxHighlighting(looks),
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        slot.of(own),
        listener,
      ],
    });
  let current = extensions;
  const cm = new EditorView({ parent, state: stateOf('', current) });
  return {
    cm,
    load(text) {
      isLoading = true;
      cm.setState(stateOf(text, current));
      isLoading = false;
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
