import * as z from 'zod/mini';
import { defineTool, text } from '../tool';

const input = z.strictObject({});

export const endConversation = defineTool<z.infer<typeof input>>({
  name: 'end_conversation',
  version: 1,
  agent: 'conversation',
  effect: 'talk',
  permission: 'allow',
  description:
    'Ends this conversation after this turn, when the user says that it is over or wants a new one.',
  input,
  example: {},
  async run() {
    return text('The conversation ends after this turn.', { kind: 'end-conversation' });
  },
});
