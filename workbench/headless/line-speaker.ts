import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

export interface LineSpeaker {
  say(message: object): void;
  /** Handles lines one at a time, in order, until the input ends. */
  eachLine(handle: (line: string) => Promise<void>): Promise<void>;
  /** Resolves once all output has left this process. */
  drained(): Promise<void>;
}

export function lineSpeaker(input: Readable, output: Writable): LineSpeaker {
  // Reads from the start, so that no line is lost while the plugin loads.
  const lines: string[] = [];
  let ended = false;
  let wake = () => {};
  const reader = createInterface({ input, crlfDelay: Infinity });
  reader.on('line', (line) => {
    lines.push(line);
    wake();
  });
  reader.on('close', () => {
    ended = true;
    wake();
  });
  return {
    say: (message) => {
      output.write(`${JSON.stringify(message)}\n`);
    },
    async eachLine(handle) {
      for (;;) {
        const line = lines.shift();
        if (line !== undefined) {
          if (line.trim() !== '') await handle(line);
        } else if (ended) {
          return;
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    },
    drained: () => new Promise((resolve) => output.write('', () => resolve())),
  };
}
