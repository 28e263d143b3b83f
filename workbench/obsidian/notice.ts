import { Notice } from 'obsidian-test-mocks/obsidian';

/** What a notice said, as the user would have read it. */
export interface RaisedNotice {
  readonly text: string;
  readonly duration: number | undefined;
}

const lists = new Set<RaisedNotice[]>();

/** A list that every notice from now on is added to, and how to stop that. */
export function collectNotices(): { notices: RaisedNotice[]; stop(): void } {
  const notices: RaisedNotice[] = [];
  lists.add(notices);
  return { notices, stop: () => lists.delete(notices) };
}

export function patchNotice(): void {
  Notice.prototype.constructor__ = function (_message, duration): void {
    const { messageEl } = this;
    const raised: RaisedNotice = {
      // Read when asked, because a notice may change what it says.
      get text() {
        return messageEl.textContent ?? '';
      },
      duration,
    };
    for (const list of lists) list.push(raised);
  };
}
