import { Events } from 'obsidian-test-mocks/obsidian';

interface Entry {
  fn: (...data: unknown[]) => unknown;
  ctx?: unknown;
}

/**
 * As in Obsidian, an exception in a handler is reported and the other handlers still run, and
 * handlers added during an event are not called for it. The mocks let exceptions through, which
 * would break the host.
 */
export function patchEvents(): void {
  Events.prototype.trigger = function (name: string, ...data: unknown[]): void {
    const { _: entries } = this as unknown as { _: Record<string, Entry[] | undefined> };
    for (const { fn, ctx } of [...(entries[name] ?? [])]) {
      try {
        fn.apply(ctx, data);
      } catch (error) {
        reportError(error);
      }
    }
  };
}

const reported: unknown[] = [];

/** Exceptions from handlers; tests expect none. */
export function reportedErrors(): unknown[] {
  return reported;
}

export function reportError(error: unknown): void {
  reported.push(error);
  console.error(error);
}
