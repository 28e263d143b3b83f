/**
 * Acts once the thread has done other work. A message, because a hidden window's timers are late,
 * and a view may be in another window than the one in which the code runs.
 *
 * @returns cancels it
 */
export function afterOtherWork(act: () => void): () => void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    act();
  };
  port2.postMessage(null);
  return () => port1.close();
}

/**
 * Counts the slices of work that is too long to be done at once. Call it while a component is
 * created.
 * @param isUnfinished whether another slice follows, once the window has done other work
 * @returns the number of finished slices, to depend on
 */
export function countSlices(isUnfinished: () => boolean): { readonly count: number } {
  let count = $state(0);
  $effect(() => {
    void count;
    if (!isUnfinished()) return undefined;
    return afterOtherWork(() => (count += 1));
  });
  return {
    get count() {
      return count;
    },
  };
}
