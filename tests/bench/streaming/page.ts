/**
 * The benchmark's code in the browser: feeds events to the whole chat panel and sets performance
 * marks.
 */
import { mount, unmount } from 'svelte';
import { drawWhole, hostOf, wholeHtml } from '#tests/components/markdown/whole';
import { decorate } from '#components/message/markdown/decorate.ts';
import { frameScheduler } from '#components/chat/frame-scheduler.ts';
import ChatRoot from '#components/chat/ChatRoot.svelte';
import { PluginState } from '#stores/plugin-state';
import { ChatState, type NextFrame } from '#stores/chat-state';
import { pageUi } from '#workbench/gallery/page-ui';
import { Script } from '#workbench/gallery/script';
import { scriptedAgent } from '#workbench/gallery/scripted-agent';

const ui = pageUi();
const host = hostOf(ui);
let answers = 0;

interface Chat {
  readonly script: Script;
  readonly element: HTMLElement;
  close(): Promise<void>;
}

/** Opens a chat in which an answer has begun. */
async function openChat(frames: (element: HTMLElement) => NextFrame): Promise<Chat> {
  const script = new Script(`answer-${(answers += 1)}`).ask('Tell me everything').step();
  const element = document.createElement('div');
  element.style.height = '100vh';
  document.getElementById('gallery')?.replaceChildren(element);
  const agent = scriptedAgent([script]);
  const panel = new PluginState(agent, ui);
  const screen = new ChatState(panel, frames(element));
  const chat = mount(ChatRoot, { target: element, props: { panel, screen } });
  await screen.start();
  await painted();
  // The script reduces all its events for each `state()` call, which must not count as the panel's
  // work.
  const state = await agent.state();
  agent.state = async () => state;
  return {
    script,
    element,
    async close() {
      screen.close();
      panel.close();
      await unmount(chat);
    },
  };
}

function everyFrame(): NextFrame {
  return (callback) => {
    const frame = requestAnimationFrame(callback);
    return () => cancelAnimationFrame(frame);
  };
}

function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => resolve()));
}

async function painted(): Promise<void> {
  await nextFrame();
  await nextFrame();
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * The answer's HTML without its block elements, after also rendering the parts that were never
 * visible.
 */
async function drawn(element: HTMLElement): Promise<string> {
  const blocks = [...element.querySelectorAll('.block')];
  for (const block of blocks) await decorate(block, host);
  await painted();
  return blocks.map((block) => block.innerHTML).join('');
}

async function finish({ script, element, close }: Chat, text: string): Promise<string> {
  performance.mark('part end');
  script.say(text);
  await painted();
  script.done(text);
  await painted();
  performance.mark('over');
  const html = await drawn(element);
  await close();
  return html;
}

const bench = {
  /**
   * Draws every chunk in its own frame. Each hundred chunks are a part; the last hundred are one,
   * too.
   */
  async streamByFrames(chunks: readonly string[]): Promise<string> {
    let goOn: () => void = () => undefined;
    const chat = await openChat(() => (callback) => {
      const frame = requestAnimationFrame(() => {
        callback();
        goOn();
      });
      return () => cancelAnimationFrame(frame);
    });
    for (const [at, text] of chunks.entries()) {
      if (at % 100 === 0 || at === chunks.length - 100) performance.mark(`part ${at}`);
      const next = new Promise<void>((resolve) => (goOn = resolve));
      chat.script.delta({ type: 'text', text });
      await next;
    }
    await painted();
    return finish(chat, chunks.join(''));
  },

  /** Sends a chunk every `apart` milliseconds and lets the panel choose when to draw. */
  async streamByTime(chunks: readonly string[], apart: number): Promise<string> {
    const chat = await openChat(frameScheduler);
    const began = performance.now();
    performance.mark('part 0');
    for (const [at, text] of chunks.entries()) {
      await pause(began + at * apart - performance.now());
      chat.script.delta({ type: 'text', text });
    }
    await pause(100);
    return finish(chat, chunks.join(''));
  },

  /**
   * Parses and renders the text up to each of these lengths, with pauses of `apart` milliseconds.
   */
  async whole(text: string, lengths: readonly number[], apart: number): Promise<string> {
    const chat = await openChat(everyFrame);
    chat.script.delta({ type: 'text', text: '.' });
    await painted();
    const block = chat.element.querySelector<HTMLElement>('.block');
    if (!block) throw new Error('Nothing was drawn.');
    for (const [at, length] of lengths.entries()) {
      performance.mark(`part ${at}`);
      block.replaceChildren();
      drawWhole(block, text.slice(0, length), host);
      await decorate(block, host);
      await painted();
      await pause(apart);
    }
    performance.mark('over');
    const html = await drawn(chat.element);
    await chat.close();
    return html;
  },

  /** Milliseconds that parsing takes at each length, without rendering. */
  read(text: string, lengths: readonly number[]): number[] {
    return lengths.map((length) => {
      const began = performance.now();
      wholeHtml(text.slice(0, length));
      return performance.now() - began;
    });
  },
};

declare global {
  interface Window {
    bench: typeof bench;
  }
}
window.bench = bench;
