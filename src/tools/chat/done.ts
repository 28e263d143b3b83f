import * as z from 'zod/mini';
import { withoutSourceMarks } from '#text/source-marks';
import { defineTool, text } from '../tool';

const input = z.strictObject({
  summary: z.string().check(z.describe('What the user reads or hears.')),
  spoken: z.optional(z.string().check(z.describe('What a listener hears instead.'))),
  outcome: z
    .enum(['done', 'partly', 'not_done'])
    .check(z.describe('done: all that was asked. partly: some. not_done: none.')),
});

const output = z.strictObject({
  outcome: z.enum(['done', 'partly', 'not_done']),
  summary: z.string(),
});

export const done = defineTool<z.infer<typeof input>>({
  name: 'done',
  version: 1,
  agent: 'conversation',
  effect: 'talk',
  permission: 'allow',
  fixed: true,
  description:
    'Ends the turn with an answer and an honest outcome. Plain text without a call also ends it, as done.',
  input,
  output: {
    schema: output,
    of: ({ details }) =>
      details?.kind === 'done'
        ? { outcome: details.outcome, summary: withoutSourceMarks(details.summary) }
        : {},
  },
  example: { summary: 'Added milk to Lists/Shopping.md.', outcome: 'done' },
  async run({ summary, spoken, outcome }) {
    const heard = spoken === undefined ? {} : { spoken: withoutSourceMarks(spoken) };
    return text('The turn ends here.', { kind: 'done', outcome, summary, ...heard });
  },
});
