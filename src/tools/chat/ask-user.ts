import * as z from 'zod/mini';
import { defineTool, problem } from '../tool';
import { withoutSourceMarks } from '#text/source-marks';

const input = z
  .strictObject({
    question: z
      .string()
      .check(z.minLength(1), z.describe('One question, short enough to be read aloud.')),
    choices: z.optional(z.array(z.string().check(z.minLength(1))).check(z.maxLength(8))),
    allow_free_text: z
      .optional(z.boolean())
      .check(z.describe('False: only the choices are accepted.')),
  })
  .check(
    z.refine((value) => value.allow_free_text !== false || (value.choices?.length ?? 0) > 0, {
      message: 'allow_free_text false needs choices.',
    }),
  );

export const askUser = defineTool<z.infer<typeof input>>({
  name: 'ask_user',
  version: 1,
  agent: 'conversation',
  effect: 'talk',
  permission: 'allow',
  fixed: true,
  description: 'Asks the user and waits for the answer. Offer choices if there are few.',
  input,
  example: { question: 'Which list do you mean?', choices: ['Lists/Shopping.md', 'Lists/Todo.md'] },
  question: ({ question, choices, allow_free_text: allowFreeText }) => ({
    kind: 'question',
    text: withoutSourceMarks(question),
    choices: choices ?? [],
    allowFreeText: allowFreeText ?? true,
  }),
  async run() {
    return problem('The question was not answered.');
  },
});
