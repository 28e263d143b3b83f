import * as z from 'zod/mini';
import { withoutInvisible } from '#text/invisible-characters';
import { withoutSourceMarks } from '#text/source-marks';
import { defineTool, text } from '../tool';

const input = z.strictObject({
  message: z.string().check(
    z.refine(
      (message) => withoutInvisible(message).trim() !== '',
      'Expected words, not only blanks.',
    ),
    z.describe('Short Markdown.'),
  ),
  is_question: z
    .optional(z.boolean())
    .check(z.describe('Waits for an answer; for choices use ask_user.')),
});

export const sendMessage = defineTool<z.infer<typeof input>>({
  name: 'send_message',
  version: 1,
  agent: 'conversation',
  effect: 'talk',
  permission: 'allow',
  description:
    'Shows the user a message while you go on working, such as the progress of a long task. Not for the answer.',
  input,
  example: { message: 'Found 12 notes about the garden; I am sorting them now.' },
  question: ({ message, is_question: asks }) =>
    asks
      ? { kind: 'question', text: withoutSourceMarks(message), choices: [], allowFreeText: true }
      : null,
  async run({ message }) {
    return text('Shown to the user.', {
      kind: 'message',
      text: withoutSourceMarks(message),
    });
  },
});
