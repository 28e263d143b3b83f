/** The menu of one conversation. */
import type { ListedConversation } from '#ports/app/conversation-history';
import type { MenuItem } from '#ports/ui';
import type { ConversationActions } from '#stores/conversation-actions';

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
    { title: 'Rename', icon: 'pencil', run: rename },
    {
      title: pinned ? 'Unpin' : 'Pin',
      icon: pinned ? 'pin-off' : 'pin',
      run: () => void keeping.pin(id, !pinned),
    },
    {
      title: archived ? 'Take out of the archive' : 'Archive',
      icon: archived ? 'archive-restore' : 'archive',
      run: () => void keeping.archive(id, !archived),
    },
    { title: 'Export to a note', icon: 'file-output', run: () => void keeping.export(id) },
    { title: 'Delete', icon: 'trash-2', run: remove },
  ];
}
