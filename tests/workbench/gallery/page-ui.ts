/** The `Ui` port for a plain page: draws Lucide's icons and records every other call in `asked`. */
import * as lucide from 'lucide';
import type { CodeToken, EmbeddedContent, MenuEntry, MenuItem, ActiveNote, Ui } from '#ports/ui';
import { renderMath } from '#workbench/page/drawing/math';
import { loadMermaid } from '#workbench/page/drawing/mermaid';
import { loadPrism } from '#workbench/page/drawing/prism';

type IconNode = Parameters<typeof lucide.createElement>[0];

export interface PageUi extends Ui {
  /** Recorded calls, each with its arguments. */
  readonly asked: [verb: string, ...given: unknown[]][];
  key: boolean;
  /** The folder that the user chooses for an export; null if they leave. */
  exportFolder: string | null;
  /** The active note and selection. */
  read: ActiveNote;
  /** Changes the active note and notifies listeners. */
  show(read: ActiveNote): void;
  /** Names of the one-time hints that the user has already seen. */
  readonly told: Set<string>;
  /** Embedded content by link. */
  readonly files: Map<string, EmbeddedContent>;
  /** Runs the item with this title of the last opened menu. */
  chooseFromMenu(title: string): void;
  /** Resolves once all formulas, code and diagrams are rendered. */
  drawn(): Promise<void>;
}

interface Prism {
  readonly languages: Record<string, unknown>;
  tokenize(code: string, grammar: unknown): (string | { type: string; content: string })[];
}

interface Mermaid {
  parse(source: string): Promise<boolean>;
  render(id: string, source: string): Promise<{ svg: string }>;
}

export function pageUi(
  options: {
    key?: boolean;
    told?: readonly string[];
    reading?: ActiveNote;
    pictures?: Readonly<Record<string, string>>;
  } = {},
): PageUi {
  const listeners = new Set<() => void>();
  const asked: PageUi['asked'] = [];
  const drawing = new Set<Promise<unknown>>();
  function drawn<Value>(work: Promise<Value>): Promise<Value> {
    drawing.add(work);
    void work.finally(() => drawing.delete(work)).catch(() => undefined);
    return work;
  }
  const ui: PageUi = {
    isMac: false,
    asked,
    read: options.reading ?? { note: null, selection: null },
    show(read) {
      ui.read = read;
      for (const listener of listeners) listener();
    },
    key: options.key ?? true,
    exportFolder: 'Chats',
    told: new Set(options.told ?? ['modes', 'smarthole']),
    files: new Map(
      Object.entries(options.pictures ?? {}).map(([path, address]) => [
        path,
        { kind: 'picture', address },
      ]),
    ),
    setIcon(element, name) {
      const found = (lucide.icons as Record<string, IconNode>)[
        pascal(name.replace(/^lucide-/, ''))
      ];
      if (!found) {
        element.textContent = `?${name}`;
        return;
      }
      const svg = lucide.createElement(found);
      svg.setAttribute('class', 'svg-icon');
      element.replaceChildren(svg);
    },
    menu: (_anchor, items) => void asked.push(['menu', items]),
    openNote: (link, where, ...line) => void asked.push(['openNote', link, where, ...line]),
    onWindowChange: () => () => undefined,
    previewNote: (_event, link) => void asked.push(['previewNote', link]),
    searchTag: (tag) => void asked.push(['searchTag', tag]),
    embedded: async (link) => ui.files.get(link) ?? null,
    formula: (source, isBlock) => drawn(Promise.resolve(renderMath(source, isBlock))),
    codePieces: (code, language) => drawn(codePieces(code, language)),
    diagram: (source) => drawn(diagram(source)),
    async drawn() {
      while (drawing.size > 0) {
        await Promise.allSettled(drawing);
        // A rendered part may start rendering others.
        await new Promise((resolve) => setTimeout(resolve));
      }
    },
    chooseFromMenu(title) {
      const [, items] = asked.findLast(([verb]) => verb === 'menu') ?? [];
      const item = (items as MenuEntry[] | undefined)?.find(
        (each): each is MenuItem => typeof each === 'object' && each?.title === title,
      );
      if (!item) throw new Error(`No menu has "${title}".`);
      item.run();
    },
    async putText(text, goal) {
      asked.push(['putText', text, goal]);
      return null;
    },
    notice: (text) => void asked.push(['notice', text]),
    chooseExportFolder: async () => ui.exportFolder,
    fuzzy: (typed) => (text) => {
      const at = text.toLowerCase().indexOf(typed.toLowerCase());
      return at < 0 ? null : { score: -at, marks: [[at, at + typed.length]] };
    },
    reading: () => ui.read,
    onReading(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dropped: ({ dataTransfer }) => ({ paths: [], files: [...(dataTransfer?.files ?? [])] }),
    keepInVault: async ({ name }) => ({ ok: true, path: `Attachments/${name}` }),
    async discardImported(path) {
      asked.push(['discardImported', path]);
      return `Moved ${path} to the trash`;
    },
    openHotkeys: () => void asked.push(['openHotkeys']),
    openSettings: (target) => void asked.push(['openSettings', ...(target ? [target] : [])]),
    hasSeen: (name) => ui.told.has(name),
    setSeen: (name) => void ui.told.add(name),
    copy: async (text) => void asked.push(['copy', text]),
    hasKey: () => ui.key,
    saveKey(key) {
      asked.push(['saveKey', key]);
      ui.key = true;
      return null;
    },
  };
  return ui;
}

async function codePieces(code: string, language: string): Promise<CodeToken[] | null> {
  const { languages, tokenize } = (await loadPrism()) as Prism;
  if (!(language in languages)) return null;
  return tokenize(code, languages[language]).map((token): CodeToken => {
    return typeof token === 'string' ? token : { kinds: token.type, inside: [token.content] };
  });
}

async function diagram(source: string): Promise<string | null> {
  const mermaid = (await loadMermaid()) as Mermaid;
  return (await mermaid.parse(source)) ? (await mermaid.render('diagram', source)).svg : null;
}

function pascal(name: string): string {
  return name.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
