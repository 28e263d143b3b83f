/** Tells the model which of its many calls one call could have done. */
import { allCalls, validSteps, type ToolCall, type Turn } from '#model/conversation';

const CALLS_BEFORE_HINT = 8;

interface BulkForm {
  /** Fields of an input that already is about many. */
  readonly fields: readonly string[];
  readonly hint: string;
}

const NOTES: BulkForm = {
  fields: ['paths', 'where'],
  hint: 'One call does the same in many notes: give `paths`, or `where` with conditions of query_notes.',
};

/** Tools with a form that does many at once. */
const BULK_FORMS: ReadonlyMap<string, BulkForm> = new Map([
  [
    'update_properties',
    {
      fields: [...NOTES.fields, 'each'],
      hint: `${NOTES.hint} With values of their own: \`each\`.`,
    },
  ],
  ['add_tags', NOTES],
  ['move', { fields: ['moves'], hint: 'One call makes many: give `moves`.' }],
  ['delete', { fields: ['paths'], hint: 'One call deletes many: give `paths`.' }],
]);

interface Joinable {
  /** Equal for calls that can be one. */
  readonly key: string;
  readonly what: string;
  readonly hint: string;
}

/**
 * Hints about calls that could be one, said in the step that has the eighth of them.
 *
 * @param number of the step just run, from 1
 * @param isChange whether a call has changed something
 */
export function joinableHints(
  turn: Turn,
  number: number,
  isChange: (call: ToolCall) => boolean,
): string[] {
  const countsIn = (calls: readonly ToolCall[]) => {
    const counts = new Map<string, Joinable & { readonly count: number }>();
    for (const each of calls.filter(isChange).flatMap(joinables)) {
      counts.set(each.key, { ...each, count: (counts.get(each.key)?.count ?? 0) + 1 });
    }
    return counts;
  };
  const now = countsIn(validSteps(turn)[number - 1]?.calls ?? []);
  // Several calls of one step may jump past the threshold.
  const reached = [...countsIn(allCalls(turn)).values()].filter(({ key, count }) => {
    const before = count - (now.get(key)?.count ?? 0);
    return count >= CALLS_BEFORE_HINT && before < CALLS_BEFORE_HINT;
  });
  return reached.map(
    ({ what, count, hint }) => `You have called ${what} ${count} times in this turn. ${hint}`,
  );
}

function joinables({ part: { name, input } }: ToolCall): Joinable[] {
  if (name === 'edit_file') return joinableEdits(input);
  const form = BULK_FORMS.get(name);
  if (!form || form.fields.some((field) => input[field] !== undefined)) return [];
  return [{ key: name, what: name, hint: form.hint }];
}

function joinableEdits({ path, edits }: ToolCall['part']['input']): Joinable[] {
  if (typeof path !== 'string' || !Array.isArray(edits)) return [];
  const isText = edits.every((edit: unknown) => Object.hasOwn(Object(edit) as object, 'old_text'));
  return [
    {
      ...{ key: `edits of ${path}`, what: `edit_file on ${path}` },
      hint: 'One call takes many `edits` of a note.',
    },
    ...(isText
      ? [
          {
            ...{ key: `edits ${JSON.stringify(edits)}`, what: 'edit_file with the same edits' },
            hint: 'replace_in_notes replaces a text in many notes with one call.',
          },
        ]
      : []),
  ];
}
