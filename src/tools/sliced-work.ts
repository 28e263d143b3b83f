import { SlicedWork } from '#search/slices';
import type { ToolContext } from './tool';

/**
 * For work over the whole vault: pauses regularly to keep the UI responsive, and stops with the
 * call.
 */
export function slicedWork({ clock, signal }: Pick<ToolContext, 'clock' | 'signal'>): SlicedWork {
  return new SlicedWork({ clock: () => clock.now(), pause: () => clock.pause() }, signal);
}

/** Calls `work` for each item in slices. Skips the rest once the call is aborted. */
export async function forEachInSlices<Item>(
  items: Iterable<Item>,
  context: Pick<ToolContext, 'clock' | 'signal'>,
  work: (item: Item) => void,
): Promise<void> {
  const slices = slicedWork(context);
  for (const item of items) {
    work(item);
    if (!slices.isDue) continue;
    if (slices.stopped) return;
    await slices.pause();
  }
}
