import { Events } from 'obsidian-test-mocks/obsidian';

interface Entry {
  fn: (...data: unknown[]) => unknown;
  ctx?: unknown;
}

/**
 * In the app a handler that throws is reported and the others still run, and who subscribes during an
 * event is not called for it. The mocks let the error through, which would stop the host's own work.
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

/** What handlers threw; tests expect it to stay empty. */
export function reportedErrors(): unknown[] {
  return reported;
}

export function reportError(error: unknown): void {
  reported.push(error);
  console.error(error);
}
