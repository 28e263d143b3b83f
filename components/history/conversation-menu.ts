/** The menu of one conversation. */
import * as t from '#messages/history-messages';
import type { ListedConversation } from '#ports/app/conversations-port';
import type { MenuItem } from '#ports/ui';
import type { ConversationActions } from '#stores/conversations-state';

export interface ConversationActs {
  readonly keeping: ConversationActions;
  rename(): void;
  remove(): void;
}

export function conversationMenu(
  { id, pinned, archived }: Pick<ListedConversation, 'id' | 'pinned' | 'archived'>,
  { keeping, rename, remove }: ConversationActs,
): MenuItem[] {
  return [
    { title: t.rename, icon: 'pencil', run: rename },
    {
      title: pinned ? t.unpin : t.pin,
      icon: pinned ? 'pin-off' : 'pin',
      run: () => void keeping.pin(id, !pinned),
    },
    {
      title: archived ? t.unarchive : t.archive,
      icon: archived ? 'archive-restore' : 'archive',
      run: () => void keeping.archive(id, !archived),
    },
    { title: t.exportToNote, icon: 'file-output', run: () => void keeping.export(id) },
    { title: t.delete_, icon: 'trash-2', run: remove },
  ];
}
