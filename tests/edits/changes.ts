/** Builds changes with an origin for tests. */
import type { Change, Effect } from '#model/change';
import type { CallId, ChangeId, ConversationId, DeviceId, TurnId } from '#model/ids';

export const DEVICE = 'device-1' as DeviceId;

export function change(
  effect: Effect,
  more: { id?: string; call?: string; time?: number } = {},
): Change {
  const { id = 'change-1', call = 'call-1', time = 10 } = more;
  return {
    ...effect,
    id: id as ChangeId,
    time,
    origin: {
      device: DEVICE,
      conversation: 'conversation-1' as ConversationId,
      turn: 'turn-1' as TurnId,
      call: call as CallId,
      tool: 'edit_file',
      source: 'typed',
    },
  };
}
