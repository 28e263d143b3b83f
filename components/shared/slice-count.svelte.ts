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
    const timer = window.setTimeout(() => (count += 1));
    return () => window.clearTimeout(timer);
  });
  return {
    get count() {
      return count;
    },
  };
}
