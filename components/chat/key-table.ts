/** All keys of Parley, for the list of keyboard shortcuts. */
import * as t from '#messages/key-messages';
import { ANSWER_KEYS, DECLINE, deliveryKey, modKey } from './shortcuts';

export interface KeyRow {
  /** As the system names them; each is a way to do it. */
  readonly keys: readonly string[];
  readonly what: string;
}

export interface KeyGroup {
  readonly name: string;
  readonly rows: readonly KeyRow[];
}

export function keyGroups(isMac: boolean): readonly KeyGroup[] {
  const mod = (key: 'Enter' | 'Backspace' | 'Z') => modKey(key, isMac).shown;
  const stopAndSend = deliveryKey('stop', isMac).shown;
  return [
    {
      name: t.inMessages,
      rows: [
        row(t.send, '↵'),
        row(t.newLine, isMac ? '⇧↵' : 'Shift+↵'),
        row(t.mention, '@'),
        row(t.link, '[['),
        row(t.commands, '/'),
        row(t.stopAndSend, stopAndSend),
        row(t.queue, deliveryKey('after', isMac).shown),
        row(t.editLast, '↑'),
        row(t.escape, 'Esc'),
        row(t.lastMessage, 'F6'),
        row(t.thisList, '?'),
      ],
    },
    {
      name: t.inQuestions,
      rows: [
        row(t.choose, ANSWER_KEYS),
        row(t.approve, mod('Enter')),
        row(t.decline, DECLINE.shown),
      ],
    },
    {
      name: t.onEdits,
      rows: [
        row(t.accept, 'A'),
        row(t.reject, 'R'),
        row(t.edit, 'E'),
        row(t.reply, 'T'),
        row(t.nextEdit, 'J', '↓'),
        row(t.previousEdit, 'K', '↑'),
        row(t.versions, '←', '→'),
      ],
    },
    {
      name: t.inQuickEdit,
      rows: [
        row(t.send, '↵'),
        row(t.chooseAction, '↑', '↓'),
        row(t.close, 'Esc'),
        row(t.acceptResult, mod('Enter')),
        row(t.rejectResult, mod('Backspace')),
        row(t.undo, mod('Z')),
      ],
    },
    { name: t.inPastChats, rows: [row(t.rename, 'F2'), row(t.remove, isMac ? '⌦' : 'Delete')] },
  ];
}

function row(what: string, ...keys: readonly string[]): KeyRow {
  return { keys, what };
}
