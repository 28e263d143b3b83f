import { vi } from 'vitest';

/** Waits until `look` no longer throws. The limit is generous, for slow machines. */
export function eventually<Seen>(look: () => Seen | Promise<Seen>): Promise<Seen> {
  return vi.waitFor(look, { timeout: 60_000 });
}
