/** Pages of a list that a tool prints. */

export interface ListPage<Each> {
  readonly shown: readonly Each[];
  /** " (page 2 of 5)"; '' if there is only one. */
  readonly where: string;
  /** Lines that say how to get the rest. */
  more(what: string): string[];
}

export function pageOf<Each>(
  all: readonly Each[],
  { limit, page = 1 }: { readonly limit: number; readonly page?: number | undefined },
): ListPage<Each> {
  const pages = Math.max(1, Math.ceil(all.length / limit));
  const shown = all.slice((page - 1) * limit, page * limit);
  return {
    shown,
    where: pages > 1 ? ` (page ${page} of ${pages})` : '',
    more: (what) => {
      if (shown.length === 0) return [`(There is no page ${page}; the last page is ${pages}.)`];
      return page < pages ? [`(More ${what}: page ${page + 1}.)`] : [];
    },
  };
}
