/** What lies in the conversations' folder, by name. Each file has one writer; those of other devices come by sync. */
import type { ConversationId, DeviceId } from '#model/ids';

const CONVERSATION = /^(conversation-[\w-]+)\.jsonl$/;
const INDEX = /^index-.+\.jsonl$/;

/** Ids come from outside too, and this one becomes a path. */
export function isConversationId(id: string): id is ConversationId {
  return CONVERSATION.test(conversationFile(id));
}

export function conversationFile(id: string): string {
  return `${id}.jsonl`;
}

/** Null for a file that is something else. */
export function conversationIn(name: string): ConversationId | null {
  return (CONVERSATION.exec(name)?.[1] ?? null) as ConversationId | null;
}

export function indexFile(device: DeviceId): string {
  return `index-${device}.jsonl`;
}

export function isIndexFile(name: string): boolean {
  return INDEX.test(name);
}

/** The first form had one index for all devices. */
export const FIRST_INDEX = 'index.jsonl';

/** What a device keeps to itself about conversations, most of them another's. */
export function marksFile(device: DeviceId): string {
  return `marks-${device}.jsonl`;
}
