import * as z from 'zod/mini';
import { defineTool, text } from '../tool';

const input = z.strictObject({
  steps: z
    .array(
      z.strictObject({
        text: z.string().check(z.minLength(1), z.describe('A few words.')),
        state: z.enum(['open', 'doing', 'done', 'dropped']),
      }),
    )
    .check(z.minLength(1), z.maxLength(30)),
});

export const plan = defineTool<z.infer<typeof input>>({
  name: 'plan',
  version: 1,
  agent: 'conversation',
  effect: 'talk',
  permission: 'allow',
  description:
    'Shows the user a checklist. Send all steps each time, beside other calls rather than alone.',
  input,
  example: {
    steps: [
      { text: 'Find the list', state: 'done' },
      { text: 'Add milk', state: 'doing' },
    ],
  },
  async run({ steps }) {
    const done = steps.filter(({ state }) => state === 'done').length;
    const isLeft = steps.some(({ state }) => state === 'open' || state === 'doing');
    const status = isLeft ? 'The plan is shown' : 'The plan is complete';
    return text(`${status}: ${done} of ${steps.length} done.`, { kind: 'plan', steps });
  },
});
