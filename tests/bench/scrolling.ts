/**
 * Opens a conversation of two thousand messages in the built plugin in Chromium, sends messages in
 * it, opens a hit of a search at its beginning, and scrolls it from end to start and back with the
 * wheel and by jumps. `--messages N` sets its size, and `--only send` measures one of these.
 */
import type { Page } from 'playwright-core';
import type { PageWithParley } from '#tests/e2e/driver';
import { reply } from '#workbench/model/replies';
import { jsonLine } from '#ports/line-file';
import { conversationPath, DEVICE, openPanel, type OpenedPanel } from './panel/open';
import { longConversation } from './scrolling/conversation';
import type { Part } from './streaming/trace';
import { median } from './timing/watched';

const MESSAGES = 2_000;
const REPETITIONS = 7;
/** Is said near the beginning, and nowhere else. */
const RARE = 'quinces';
/** Pixels per wheel event, which is fast scrolling. */
const NOTCH_PX = 800;
const JUMPS = 20;

type Print = (row: string) => void;

export async function bench(
  print: Print,
  { messages = String(MESSAGES), only = '' }: Readonly<Record<string, string>> = {},
): Promise<void> {
  const script = longConversation(Number(messages) / 2, DEVICE);
  const at = script.events.findIndex(({ type }) => type === 'part-end');
  const text = script.events
    .map((event, place) => {
      const isPart = place >= at && place < at + 1 && event.type === 'part-end';
      if (!isPart || event.part.type !== 'text') return jsonLine(event);
      return jsonLine({ ...event, part: { ...event.part, text: `${event.part.text} ${RARE}` } });
    })
    .join('');
  print(
    `${messages} messages, ${(text.length / 1e6).toFixed(1)} MB (budget of a frame: none over 50 ms)`,
  );
  const panel = await openPanel({ [conversationPath(script.id)]: text }, undefined, watchBytes);
  try {
    await open(panel, print);
    for (const [name, measure] of Object.entries({ send, hit, scroll })) {
      if (name.startsWith(only)) await measure(panel, print);
    }
  } finally {
    await panel.close();
  }
}

interface WatchedPage extends PageWithParley {
  /** When the page read the first text of the last answer. */
  firstByte: number | null;
}

/** Notes when text of an answer first arrives from the network. */
function watchBytes(): void {
  const scope = window as unknown as WatchedPage;
  scope.firstByte = null;
  const send = window.fetch.bind(window);
  window.fetch = async (...given) => {
    const response = await send(...given);
    const isStream = response.headers.get('content-type')?.includes('event-stream') ?? false;
    if (!isStream || !response.body) return response;
    const noting = new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        if (scope.firstByte === null && new TextDecoder().decode(bytes).includes('text_delta'))
          scope.firstByte = performance.now();
        controller.enqueue(bytes);
      },
    });
    const { status, headers } = response;
    return new Response(response.body.pipeThrough(noting), { status, headers });
  };
}

/** From the key to the first frame with the message, and from the first byte to the first word. */
async function send(panel: OpenedPanel, print: Print): Promise<void> {
  const { page, serving } = panel;
  const times: Record<'bubble' | 'word' | 'frames', number>[] = [];
  serving.demo?.server.setRespond(({ tools = [] }) => {
    const words = tools.length === 0 ? 'A title' : `Answer${times.length} and more. `.repeat(20);
    return { ...reply(words), chunkBytes: 20, delayMs: 100 };
  });
  for (let at = 0; at < REPETITIONS; at += 1) {
    const field = page.getByRole('textbox', { name: 'Message' });
    await field.fill(`Message number ${at}.`);
    const seen = page.evaluate(async (run) => {
      const scope = window as unknown as WatchedPage;
      const frames: number[] = [];
      // Observers of sizes run after all other callbacks of a frame. A message that is sent before a
      // frame is drawn arrives once it is drawn.
      const drawn = (has: () => boolean) =>
        new Promise<boolean>((resolve) => {
          const observer = new ResizeObserver(() => {
            observer.disconnect();
            frames.push(performance.now());
            const isThere = has();
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => {
              port1.close();
              resolve(isThere);
            };
            port2.postMessage(null);
          });
          observer.observe(document.body);
        });
      const key = await new Promise<number>((resolve) =>
        window.addEventListener('keydown', () => resolve(performance.now()), {
          once: true,
          capture: true,
        }),
      );
      scope.firstByte = null;
      const painted = async (selector: string, text: string) => {
        const has = () => {
          const last = [...document.querySelectorAll(selector)].at(-1);
          return last?.textContent.includes(text) === true;
        };
        while (!(await drawn(has)));
        return performance.now();
      };
      const bubble = (await painted('[data-sent], [data-turn]', `Message number ${run}.`)) - key;
      const word = await painted('[data-turn]', `Answer${run}`);
      const byte = scope.firstByte ?? NaN;
      return { bubble, word: word - byte, frames: frames.filter((each) => each > byte).length };
    }, at);
    await field.press('Enter');
    times.push(await seen);
    await panel.idle();
  }
  const words = (name: 'bubble' | 'word') => {
    const all = times.map((each) => each[name]);
    return `${median(all).toFixed(0)} ms (at most ${Math.max(...all).toFixed(0)})`;
  };
  const frames = median(times.map((each) => each.frames));
  print(
    `send: key to bubble ${words('bubble')}, first byte to first word ${words('word')}, frames ${frames}`,
  );
}

/** From the click on a hit to the first frame in which it is in view. */
async function hit({ page }: OpenedPanel, print: Print): Promise<void> {
  const times: number[] = [];
  for (let at = 0; at < REPETITIONS; at += 1) {
    await page.getByRole('button', { name: 'Past chats' }).click();
    const list = page.getByRole('region', { name: 'Past chats' });
    await list.getByRole('searchbox').fill(RARE);
    await list.getByText('1 match in 1 chat').waitFor();
    times.push(
      await page.evaluate(async (rare) => {
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        const found = [...document.querySelectorAll<HTMLElement>('li button')].find((each) =>
          each.textContent.includes(rare),
        );
        const began = performance.now();
        found?.click();
        const isSelected = () => document.getSelection()?.toString().toLowerCase() === rare;
        while (!isSelected()) await frame();
        await frame();
        return performance.now() - began;
      }, RARE),
    );
  }
  print(
    `open a hit: in view after ${median(times).toFixed(0)} ms (at most ${Math.max(...times).toFixed(0)})`,
  );
}

async function open(panel: OpenedPanel, print: Print): Promise<void> {
  const { page } = panel;
  let times = { first: 0, usable: 0 };
  const frames = await panel.frames(async () => {
    times = await page.evaluate(async () => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const began = performance.now();
      const button = document.querySelector<HTMLElement>('[aria-label="Open chat"]');
      button?.click();
      while (!document.querySelector('[role="log"] article')) await frame();
      await frame();
      const first = performance.now() - began;
      // Rendering is finished once three frames in a row take less than 20 ms.
      let last = performance.now();
      for (let calm = 0; calm < 3;) {
        await frame();
        calm = performance.now() - last < 20 ? calm + 1 : 0;
        last = performance.now();
      }
      return { first, usable: last - began };
    });
  });
  print(
    `open: first message painted after ${times.first.toFixed(0)} ms, at rest after ${times.usable.toFixed(0)} ms; ${shown(frames)}`,
  );
  print(`  ${await held(panel)}`);
}

async function scroll(panel: OpenedPanel, print: Print): Promise<void> {
  const { page } = panel;
  for (const [name, by] of [
    ['to the beginning', -NOTCH_PX],
    ['to the end', NOTCH_PX],
  ] as const) {
    let notches = 0;
    const frames = await panel.frames(async () => {
      notches = await wheel(page, by);
    });
    print(`${name} by wheel, ${notches} notches: ${shown(frames)}`);
    print(`  ${await held(panel)}`);
  }
  const frames = await panel.frames(() => jump(page));
  print(`${JUMPS} jumps of the scrollbar: ${shown(frames)}`);
}

/** Scrolls until the end of the scroll range and returns the number of wheel events. */
async function wheel(page: Page, by: number): Promise<number> {
  const log = page.getByRole('log');
  await log.hover();
  for (let notches = 0; ; notches += 20) {
    const isOver = await log.evaluate((element, up) => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      return up ? scrollTop === 0 : scrollHeight - scrollTop - clientHeight < 2;
    }, by < 0);
    if (isOver) return notches;
    for (let at = 0; at < 20; at += 1) await page.mouse.wheel(0, by);
  }
}

/** Jumps to positions across the conversation and waits 15 frames at each. */
async function jump(page: Page): Promise<void> {
  await page.getByRole('log').evaluate(async (element, jumps) => {
    for (let at = 0; at < jumps; at += 1) {
      element.scrollTop = ((at * 7) % jumps) * (element.scrollHeight / jumps);
      for (let wait = 0; wait < 15; wait += 1) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    }
  }, JUMPS);
}

function shown(frames: readonly Part[]): string {
  const over = (limit: number) => frames.filter(({ cost }) => cost > limit).length;
  const longest = Math.max(...frames.map(({ cost }) => cost));
  const task = Math.max(...frames.map((each) => each.longest));
  const within = (name: 'cost' | 'interval') => {
    const sorted = frames.map((each) => each[name]).sort((a, b) => a - b);
    return (sorted[Math.floor(sorted.length * 0.95)] ?? NaN).toFixed(0);
  };
  return `${frames.length} frames, 95 % within ${within('interval')} ms (${within('cost')} of work), ${over(50)} over 50 ms, ${over(16)} over 16 ms, longest ${longest.toFixed(1)} ms; longest task ${task.toFixed(1)} ms`;
}

async function held(panel: OpenedPanel): Promise<string> {
  const { nodes, listeners, heap } = await panel.held();
  return `${nodes} nodes, ${listeners} listeners, ${(heap / 1e6).toFixed(0)} MB of JavaScript`;
}
