/** Opens a note in two panes and simulates a user who types there while the agent's tools run. */
import type { CDPSession, Page } from 'playwright-core';
import type { ToolAnswer } from '#ports/app/settings-port';
import {
  openWorkbench,
  type OpenedWorkbench,
  type OpenOptions,
  type PageWithParley,
} from './driver';

export const LINES = 12;

export interface InPage {
  app: PageWithParley['app'] & {
    vault: { create(path: string, text: string): Promise<object> };
    workspace: {
      getLeaf(split: false | 'split'): Leaf;
      setActiveLeaf(leaf: Leaf, how: { focus: boolean }): void;
    };
  };
  panes: Leaf[];
  answers: Promise<ToolAnswer>[];
}

interface Place {
  line: number;
  ch: number;
}

interface Leaf {
  view: {
    editor: {
      getValue(): string;
      lineCount(): number;
      getLine(line: number): string;
      setCursor(line: number, ch: number): void;
      setSelection(anchor: Place, head: Place): void;
      getSelection(): string;
      undo(): void;
    };
    setState(state: object, result: object): Promise<void>;
  };
  openFile(file: object): Promise<void>;
  detach(): void;
}

/** A seeded random generator with numbers from 0 up to 1. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export interface SettledPanes {
  readonly texts: string[];
  readonly answers: ToolAnswer[];
}

export class TwoPanes {
  readonly workbench: OpenedWorkbench;
  readonly page: Page;
  readonly keys: CDPSession;

  private constructor(workbench: OpenedWorkbench, keys: CDPSession) {
    this.workbench = workbench;
    this.page = workbench.page;
    this.keys = keys;
  }

  static async open(settings?: OpenOptions['settings']): Promise<TwoPanes> {
    const files = { 'Welcome.md': '' };
    const workbench = await openWorkbench({ sample: false, files, ...(settings && { settings }) });
    return new TwoPanes(workbench, await workbench.page.context().newCDPSession(workbench.page));
  }

  /**
   * Opens a new note of `LINES` lines in both panes; with `apart`, each line is its own paragraph.
   */
  async open(note: string, apart = false): Promise<void> {
    const text = Array.from(
      { length: LINES },
      (_, line) => `line ${line} begins and ends\n${apart ? '\n' : ''}`,
    ).join('');
    await this.page.evaluate(
      async ([file, content]) => {
        const inPage = window as unknown as InPage;
        const { vault, workspace } = inPage.app;
        const made = await vault.create(file, content);
        inPage.panes ??= [workspace.getLeaf(false), workspace.getLeaf('split')];
        inPage.answers = [];
        for (const pane of inPage.panes) await pane.openFile(made);
      },
      [note, text] as const,
    );
  }

  /** Focuses a pane and sets its cursor; `line` and `ch` are fractions from 0 to 1. */
  async putCursor(pane: number, line: number, ch: number): Promise<void> {
    await this.page.evaluate(
      ([which, down, along]) => {
        const { app, panes } = window as unknown as InPage;
        const leaf = panes[which]!;
        app.workspace.setActiveLeaf(leaf, { focus: true });
        const { editor } = leaf.view;
        const at = Math.floor(down * editor.lineCount());
        editor.setCursor(at, Math.floor(along * (editor.getLine(at).length + 1)));
      },
      [pane, line, ch] as const,
    );
  }

  /** Starts a tool call; `settled` awaits its answer. */
  async start(note: string, name: string, input: object): Promise<void> {
    await this.page.evaluate(
      ([tool, args]) => {
        const { app, answers } = window as unknown as InPage;
        answers.push(
          app.plugins.plugins.parley.agent.then((agent) => agent.tools.call(tool, args)),
        );
      },
      [name, { path: note, ...input }] as const,
    );
  }

  /** Types key by key or, if composed, as an IME composition that grows until it is committed. */
  async type(word: string, composed: boolean): Promise<void> {
    if (!composed) {
      for (const key of word) await this.page.keyboard.press(key);
      return;
    }
    for (let length = 1; length <= word.length; length += 1) {
      const text = word.slice(0, length);
      await this.keys.send('Input.imeSetComposition', {
        ...{ text, selectionStart: length, selectionEnd: length },
      });
    }
    await this.keys.send('Input.insertText', { text: word });
  }

  async texts(): Promise<string[]> {
    return this.page.evaluate(() => {
      const { panes } = window as unknown as InPage;
      return panes.map(({ view }) => view.editor.getValue());
    });
  }

  /** Waits for all tool calls and returns their answers and the texts of both panes. */
  async settle(): Promise<SettledPanes> {
    return this.page.evaluate(async () => {
      const { panes, answers } = window as unknown as InPage;
      const given = await Promise.all(answers);
      return { texts: panes.map(({ view }) => view.editor.getValue()), answers: given };
    });
  }
}

/**
 * Finds the typed words that are complete, even if other words or agent edits were inserted into
 * them.
 */
export function wordsIn(text: string): string[] {
  const found: string[] = [];
  let left = text.replace(/\[agent \d+\] /g, '');
  for (;;) {
    const less = left.replace(/@\d+字?;/g, (word) => {
      found.push(word);
      return '';
    });
    if (less === left) return found;
    left = less;
  }
}
