import { SlicedWork } from '#search/slices';
import type { ToolContext } from './tool';

/** For work over the whole vault, which is not to hold the screen, and ends when the call is stopped. */
export function slicedWork({ clock, signal }: Pick<ToolContext, 'clock' | 'signal'>): SlicedWork {
  return new SlicedWork({ clock: () => clock.now(), pause: () => clock.pause() }, signal);
}

/** Does something for each of them; the rest is left when the call is stopped. */
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
