/**
 * What the panel does while nothing happens, with a visible and a hidden window: timers that fire,
 * animation frames, paintings, and the time of the main thread, per minute. `--seconds N` sets how
 * long it is watched.
 */
import { openPanel } from './panel/open';

/** The work after an answer, such as titles and the index of words, is over by then. */
const SETTLE_MS = 20_000;

export async function bench(
  print: (row: string) => void,
  { seconds = '60' }: Readonly<Record<string, string>> = {},
): Promise<void> {
  const panel = await openPanel();
  const { page } = panel;
  try {
    await page.click('[aria-label="Open chat"]');
    const message = page.getByRole('textbox', { name: 'Message' });
    await message.fill('hello');
    await message.press('Enter');
    await page.locator('article').first().locator('.foot').waitFor({ timeout: 120_000 });
    await page.waitForTimeout(SETTLE_MS);
    for (const hidden of [false, true]) {
      await panel.hide(hidden);
      const minutes = Number(seconds) / 60;
      const { counts, milliseconds } = await panel.events(() =>
        page.waitForTimeout(minutes * 60_000),
      );
      const cells = EVENTS.map(
        (name) => `${name} ${((counts.get(name) ?? 0) / minutes).toFixed(0)}`,
      );
      const used = (milliseconds / minutes).toFixed(0);
      print(`${hidden ? 'hidden' : 'visible'}, per minute: ${cells.join(', ')}; ${used} ms used`);
    }
  } finally {
    await panel.close();
  }
}

/** Events of Chromium's timeline that are wake-ups or drawing. */
const EVENTS = ['TimerFire', 'FireAnimationFrame', 'FireIdleCallback', 'Layout', 'Paint'] as const;
