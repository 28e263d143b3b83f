/** What the page's panel sees of the fake SmartHole, and what it can do with it. */
import type { FakeSmartHole } from '#workbench/smarthole/fake-smarthole';

/** Lists are newest first. */
export interface SmartHoleView {
  readonly url: string;
  readonly isOpen: boolean;
  /** Names of the registered clients. */
  readonly clients: readonly string[];
  readonly deliveries: readonly {
    readonly id: string;
    readonly text: string;
    readonly state: string;
  }[];
  readonly notifications: readonly {
    readonly title: string;
    readonly body: string;
    readonly priority: string;
    /** Why it was not shown, or null if it was. */
    readonly dropped: string | null;
  }[];
  /** Requests that reached no client, with the reason. */
  readonly unrouted: readonly { readonly text: string; readonly reason: string }[];
  readonly violations: readonly string[];
}

const MAX_SHOWN = 30;

export async function answerSmartHolePanel(
  smartHole: FakeSmartHole,
  op: string,
  args: readonly unknown[],
): Promise<unknown> {
  const [given, how] = args;
  const words = typeof given === 'string' ? given : '';
  switch (op) {
    case 'view':
      return viewOf(smartHole);
    case 'say': {
      const inputMethod = how === 'text' ? 'text' : 'voice';
      return smartHole.say(words, { inputMethod }) !== null;
    }
    case 'again':
      return smartHole.deliverAgain(words);
    case 'cut':
      smartHole.cut();
      return null;
    case 'quit':
      await smartHole.close();
      return null;
    case 'start':
      if (!smartHole.isOpen) await smartHole.open();
      return null;
    default:
      throw new Error(`The panel has no ${JSON.stringify(op)}.`);
  }
}

function viewOf(smartHole: FakeSmartHole): SmartHoleView {
  const { url, isOpen, clients, deliveries, shown, dropped, unrouted, violations } = smartHole;
  const notifications = [
    ...shown.map((each) => ({ ...each, dropped: null })),
    ...dropped.map((each) => ({ ...each, dropped: each.why })),
  ];
  return {
    ...{ url, isOpen, violations },
    clients: clients.map(({ name }) => name),
    deliveries: last(deliveries).map(({ id, text, state }) => ({ id, text, state })),
    notifications: last(notifications.sort((one, other) => one.at - other.at)).map(
      ({ title = '', body = '', priority, dropped: why }) => ({
        title,
        body,
        priority,
        dropped: why,
      }),
    ),
    unrouted: last(unrouted),
  };
}

function last<Value>(values: readonly Value[]): Value[] {
  return values.slice(-MAX_SHOWN).reverse();
}
