/** A fake command list of the host that records which commands were run. */
import type { HostCommand, HostCommands } from '#ports/ui';

export interface MemoryCommands extends HostCommands {
  readonly ran: string[];
}

export function memoryCommands(
  all: readonly HostCommand[] = [],
  isAvailable: (id: string) => boolean = () => true,
): MemoryCommands {
  const ran: string[] = [];
  return {
    ran,
    all: () => all,
    run(id) {
      if (isAvailable(id)) ran.push(id);
      return isAvailable(id);
    },
  };
}
