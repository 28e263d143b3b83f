import { Notice } from 'obsidian-test-mocks/obsidian';
import { afterConstructor, patch } from '../patch';

const USUAL_MS = 5_000;

export function patchNoticeLooks(): void {
  afterConstructor(Notice, 'constructor__', (notice, _message: unknown, duration: unknown) => {
    const { noticeEl, messageEl } = notice;
    noticeEl.className = 'notice';
    noticeEl.setAttribute('role', 'status');
    messageEl.className = 'notice-message';
    noticeEl.append(messageEl);
    notice.containerEl = noticeEl;
    const list =
      document.querySelector('.notice-container') ?? document.body.createDiv('notice-container');
    list.append(noticeEl);
    noticeEl.addEventListener('click', () => notice.hide());
    const ms = typeof duration === 'number' ? duration : USUAL_MS;
    if (ms > 0) window.setTimeout(() => notice.hide(), ms);
  });
  patch(Notice, {
    hide() {
      this.noticeEl.remove();
    },
  });
}
