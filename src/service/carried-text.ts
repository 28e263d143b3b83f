/** The text of a conversation, for a model that goes on with it elsewhere. */
import type { Conversation } from '#model/conversation';
import { messagesOf } from '#model/messages';

/** Characters; what was said last is kept. */
const LONGEST = 40_000;

export function carriedText(conversation: Conversation): string {
  const lines = messagesOf(conversation).map(
    ({ role, text }) => `${role === 'person' ? 'Person' : 'Parley'}: ${text}`,
  );
  const whole = lines.join('\n\n');
  const text = whole.length > LONGEST ? `[…]\n${whole.slice(-LONGEST)}` : whole;
  return `This goes on from the conversation "${conversation.title}", held on another device:\n\n${text}`;
}
