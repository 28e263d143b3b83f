/** Shows text in the real panel, in a note's widget and in a preview, and reports problems. */
import { mount, unmount } from 'svelte';
import { chatMounter } from '#components/mount.ts';
import { decorate } from '#components/message/markdown/decorate.ts';
import ChatRoot from '#components/chat/ChatRoot.svelte';
import type { ProposalId } from '#model/ids';
import { PluginState } from '#stores/plugin-state';
import { ChatState } from '#stores/chat-state';
import { hostOf } from '#tests/components/markdown/whole';
import { pageUi } from '#workbench/gallery/page-ui';
import { Script } from '#workbench/gallery/script';
import { scriptedAgent } from '#workbench/gallery/scripted-agent';
import { findEscapes } from './escapes';

const ran: string[] = [];
for (const name of ['alert', 'prompt', 'confirm', 'open'] as const) {
  window[name] = (() => ran.push(name)) as never;
}

let shown = 0;

function place(): HTMLElement {
  const element = document.createElement('div');
  element.style.height = '100vh';
  document.getElementById('gallery')?.replaceChildren(element);
  return element;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/**
 * Reports everything unexpected, after also rendering the parts that are rendered only when
 * visible.
 */
async function problems(root: HTMLElement, ui = pageUi()): Promise<string[]> {
  const host = hostOf(ui);
  for (const part of root.querySelectorAll('.block, .piece, .parley-embedded')) {
    await decorate(part, host);
  }
  await turn();
  return [...ran.splice(0).map((name) => `${name} was called`), ...findEscapes(root)];
}

async function answer(pieces: readonly string[], ui = pageUi()) {
  const script = new Script(`hostile-${(shown += 1)}`).ask('Tell me').step();
  const element = place();
  const panel = new PluginState(scriptedAgent([script]), ui);
  const screen = new ChatState(panel, (callback) => {
    const timer = setTimeout(callback);
    return () => clearTimeout(timer);
  });
  const chat = mount(ChatRoot, { target: element, props: { panel, screen } });
  await screen.start();
  const found: string[] = [];
  for (const text of pieces) {
    script.delta({ type: 'text', text });
    await turn();
    found.push(...findEscapes(element));
  }
  script.say(pieces.join('')).done(pieces.join(''));
  await turn();
  await turn();
  return {
    element,
    found,
    async close() {
      screen.close();
      panel.close();
      await unmount(chat);
    },
  };
}

const hostile = {
  /** Streams the text as an answer in parts of `size` characters. */
  async message(text: string, size: number): Promise<string[]> {
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? [];
    const { element, found, close } = await answer(pieces);
    if (!element.querySelector('.block')) found.push('nothing was shown');
    found.push(...(await problems(element)));
    await close();
    return [...new Set(found)];
  },

  /** Shows the text as added, deleted and replaced text in proposals. */
  async widget(text: string): Promise<string[]> {
    const script = new Script(`hostile-${(shown += 1)}`).ask('Propose').step().done('Done.');
    const ui = pageUi();
    const mounter = chatMounter(scriptedAgent([script]), ui, Promise.resolve(), () => undefined);
    const element = place();
    const edits = [
      { type: 'add', before: '', after: text },
      { type: 'delete', before: text, after: '' },
      {
        type: 'replace',
        before: `Some words.\n\n${text}`,
        after: `Other words.\n\n${text}\n\nMore.`,
      },
    ] as const;
    const mounted = edits.map((edit, at) =>
      mounter.mountEdit(element, {
        note: 'A.md',
        block: { ...edit, id: `proposal-${at}` as ProposalId },
      }),
    );
    await turn();
    const found = await problems(element, ui);
    for (const each of mounted) each.close();
    mounter.close();
    return found;
  },

  /** Shows the text as a note embedded in an answer, opened by a click. */
  async preview(text: string): Promise<string[]> {
    const ui = pageUi();
    ui.files.set('Note', { kind: 'note', text });
    const { element, close } = await answer(['![[Note]]'], ui);
    element.querySelector<HTMLElement>('.parley-embed')?.click();
    await turn();
    const found = await problems(element, ui);
    if (!element.querySelector('.parley-embedded')) found.push('no preview was shown');
    await close();
    return found;
  },
};

declare global {
  interface Window {
    hostile: typeof hostile;
  }
}
window.hostile = hostile;
