import { Notice } from 'obsidian-test-mocks/obsidian';

/** Text of a notice as the user would see it. */
export interface RaisedNotice {
  readonly text: string;
  readonly duration: number | undefined;
}

const lists = new Set<RaisedNotice[]>();

/** Collects all notices from this call until `stop`. */
export function collectNotices(): { notices: RaisedNotice[]; stop(): void } {
  const notices: RaisedNotice[] = [];
  lists.add(notices);
  return { notices, stop: () => lists.delete(notices) };
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
    for (const list of lists) list.push(raised);
  };
}
