/** Turns, and the tools as they are called, evaluated when the first is asked for. */
import type { DirectCalls } from '#tools/direct-calls';
import type { TurnRunner, Turns } from '#queue/turn-runner';

export type Direct = Pick<DirectCalls, 'call' | 'confirm'>;

interface Made {
  readonly turns: TurnRunner;
  readonly direct: DirectCalls;
}

export interface TurnsLater<Parts extends Made> {
  readonly turns: Turns;
  readonly direct: Direct;
  made(): Promise<Parts>;
}

export function turnsLater<Parts extends Made>(make: () => Promise<Parts>): TurnsLater<Parts> {
  let making: Promise<Parts> | null = null;
  let parts: Parts | null = null;
  let closed = false;
  const made = () =>
    (making ??= make().then((all) => {
      if (closed) all.turns.close();
      return (parts = all);
    }));
  return {
    made,
    turns: {
      begin: async (...asked) => (await made()).turns.begin(...asked),
      recover: async (...asked) => (await made()).turns.recover(...asked),
      run: async (...asked) => (await made()).turns.run(...asked),
      end: async (...asked) => (await made()).turns.end(...asked),
      close() {
        closed = true;
        parts?.turns.close();
      },
    },
    direct: {
      call: async (...asked) => (await made()).direct.call(...asked),
      confirm: async (...asked) => (await made()).direct.confirm(...asked),
    },
  };
}
