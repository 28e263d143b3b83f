import { Notice } from 'obsidian-test-mocks/obsidian';

/** Text of a notice as the user would see it. */
export interface RaisedNotice {
  readonly text: string;
  readonly duration: number | undefined;
}

const listeners = new Set<(raised: RaisedNotice) => void>();

/**
 * Collects all notices from this call until `stop`.
 *
 * @param onNotice called after each notice was raised
 */
export function collectNotices(onNotice?: (raised: RaisedNotice) => void): {
  notices: RaisedNotice[];
  stop(): void;
} {
  const notices: RaisedNotice[] = [];
  const listener = (raised: RaisedNotice) => {
    notices.push(raised);
    queueMicrotask(() => onNotice?.(raised));
  };
  listeners.add(listener);
  return { notices, stop: () => listeners.delete(listener) };
}

export function patchNotice(): void {
  Notice.prototype.constructor__ = function (_message, duration): void {
    const { messageEl } = this;
    const raised: RaisedNotice = {
      // A getter, because a notice's text may change later.
      get text() {
        return messageEl.textContent ?? '';
      },
      duration,
    };
    for (const listener of listeners) listener(raised);
  };
}
