import * as z from 'zod/mini';
import { defineTool, text } from '../tool';

const input = z.strictObject({
  message: z
    .string()
    .check(
      z.minLength(1),
      z.describe('Markdown. Short: it may be read aloud or shown as a notification.'),
    ),
  is_question: z
    .optional(z.boolean())
    .check(z.describe('True: wait for an answer. Prefer ask_user when there are choices.')),
});

export const sendMessage = defineTool<z.infer<typeof input>>({
  name: 'send_message',
  version: 1,
  agent: 'conversation',
  effect: 'talk',
  permission: 'allow',
  description:
    'Tells the user something at once, while you go on working: progress of a long task, or something they should know now. The final answer does not need it; it goes into done or your last words. Do not say the same twice.',
  input,
  example: { message: 'Found 12 notes about the garden; I am sorting them now.' },
  question: ({ message, is_question: asks }) =>
    asks ? { kind: 'question', text: message, choices: [], allowFreeText: true } : null,
  async run({ message }) {
    return text('Shown to the user.', { kind: 'message', text: message });
  },
});
