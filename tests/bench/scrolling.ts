/**
 * Opens a conversation of two thousand messages in the built plugin in Chromium, and scrolls it
 * from end to start and back with the wheel and by jumps.
 */
import type { Page } from 'playwright-core';
import { jsonLine } from '#ports/line-file';
import { conversationPath, DEVICE, openPanel, type OpenedPanel } from './panel/open';
import { longConversation } from './scrolling/conversation';
import type { Part } from './streaming/trace';

const TURNS = 1_000;
/** Pixels per wheel event, which is fast scrolling. */
const NOTCH_PX = 800;
const JUMPS = 20;

type Print = (row: string) => void;

export async function bench(print: Print): Promise<void> {
  const script = longConversation(TURNS, DEVICE);
  const text = script.events.map(jsonLine).join('');
  print(
    `${TURNS * 2} messages, ${(text.length / 1e6).toFixed(1)} MB (budget of a frame: none over 50 ms)`,
  );
  const panel = await openPanel({ [conversationPath(script.id)]: text });
  try {
    await open(panel, print);
    await scroll(panel, print);
  } finally {
    await panel.close();
  }
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
  return `${frames.length} frames, ${over(50)} over 50 ms, ${over(16)} over 16 ms, longest ${longest.toFixed(1)} ms; longest task ${task.toFixed(1)} ms`;
}

async function held(panel: OpenedPanel): Promise<string> {
  const { nodes, listeners, heap } = await panel.held();
  return `${nodes} nodes, ${listeners} listeners, ${(heap / 1e6).toFixed(0)} MB of JavaScript`;
}
