/** What runs in the browser: the whole chat panel, fed with events. Marks tell the parts of its timeline apart. */
import { mount, unmount } from 'svelte';
import { drawWhole, hostOf, wholeHtml } from '#tests/components/markdown/whole';
import { decorate } from '#components/message/markdown/decorate.ts';
import { pacedFrames } from '#components/chat/frame-scheduler.ts';
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

/** A chat in which an answer has begun. */
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
  // A script folds all of its events when it is asked for its state, which is none of the panel's work.
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

/** The answer as it is drawn, without the elements that hold its blocks; also what nobody has seen yet. */
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
  /** Every chunk is drawn, in a frame of its own. Each hundred is a part, and so are the last hundred. */
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

  /** A chunk comes every so many milliseconds, and is drawn when the panel thinks it right. */
  async streamByTime(chunks: readonly string[], apart: number): Promise<string> {
    const chat = await openChat(pacedFrames);
    const began = performance.now();
    performance.mark('part 0');
    for (const [at, text] of chunks.entries()) {
      await pause(began + at * apart - performance.now());
      chat.script.delta({ type: 'text', text });
    }
    await pause(100);
    return finish(chat, chunks.join(''));
  },

  /** So much of the text read and drawn anew, at each of these lengths, with so many milliseconds in between. */
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

  /** Milliseconds that reading alone takes, nothing drawn. */
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
