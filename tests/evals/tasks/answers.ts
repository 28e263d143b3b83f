import { nothingChanges } from '../checks/note-checks';
import { asksNothing, completes, doesNotSay, names, says } from '../checks/turn-checks';
import type { Wanted } from '../checks/check';
import { finish, read, say, use, type Category, type Task } from '../task';
import { VAULT } from '../vault';

interface Asked {
  readonly name: string;
  readonly question: string;
  /** The note that has the answer, which the answer must name. */
  readonly note: string;
  readonly right: string;
  readonly wanted: readonly Wanted[];
  readonly wrong: string;
}

const ASKED: readonly Asked[] = [
  {
    name: 'a phone number from a property',
    question: "What is Tamsin's phone number? Tell me which note it is from.",
    note: 'People/Tamsin Reed.md',
    right: '555-0190, from [[Tamsin Reed]].',
    wanted: ['555-0190'],
    wrong: '555-0142, from [[Tamsin Reed]].',
  },
  {
    name: 'a fact from a journal',
    question: 'In which bed did I plant the garlic, and where did I write that?',
    note: 'Journal/2026-11-02.md',
    right: 'In bed 4, as you wrote in [[2026-11-02]].',
    wanted: [/bed 4/i],
    wrong: 'In bed 4.',
  },
  {
    name: 'one of two notes on a subject',
    question: 'How far apart do broad beans go? Name the note.',
    note: 'Notes/Bean sowing.md',
    right: '20 cm apart, according to [[Bean sowing]].',
    wanted: [/20 ?cm/],
    wrong: '5 cm apart, according to [[Broad beans]].',
  },
  {
    name: 'the newer of two values',
    question: 'What does water cost per plot now? Say which note you used.',
    note: 'Meetings/2026-11-04 Committee.md',
    right: '48 euros a plot, from [[2026-11-04 Committee]].',
    wanted: ['48'],
    wrong: '42 euros a plot, from [[2026-10-07 Committee]].',
  },
  {
    name: 'a date in a list',
    question: 'When does the committee meet next? Which note says so?',
    note: 'Meetings/2026-11-04 Committee.md',
    right: 'On 2 December, says [[2026-11-04 Committee]].',
    wanted: [/2 Dec|Dec(ember)? 2\b/i],
    wrong: 'On 4 November, says [[2026-11-04 Committee]].',
  },
  {
    name: 'a cell of a table',
    question: 'How many packets of broad beans do I want to order, and where is that noted?',
    note: 'Projects/Seed order.md',
    right: 'Two packets, noted in [[Seed order]].',
    wanted: [/\b(2|two)\b/i],
    wrong: 'One packet, noted in [[Seed order]].',
  },
  {
    name: 'a note with none of the words of the question',
    question: 'Until when can it get icy at night in spring? Which of my notes has that?',
    note: 'Notes/Frost dates.md',
    right: 'Until 15 May, see [[Frost dates]].',
    wanted: [/15 May|May 15/i],
    wrong: 'Until 20 October, see [[Frost dates]].',
  },
];

export const ANSWERS: Category = {
  name: 'answers',
  tasks: [
    ...ASKED.map(({ name, question, note, right, wanted, wrong }): Task => ({
      name,
      files: VAULT,
      steps: [say(question)],
      judge: [says(...wanted), names(note), nothingChanges(), completes(), asksNothing()],
      solution: [use(read(note)), use(finish(right))],
      mistake: [use(read(note)), use(finish(wrong))],
    })),
    {
      name: 'admit that the vault does not say',
      files: VAULT,
      steps: [say('What is the phone number of the plumber?')],
      judge: [
        says(/\b(no|not|n't|none|nothing|without|couldn|unable)\b|n't/i),
        doesNotSay(/555-\d{4}/),
        nothingChanges(),
      ],
      solution: [
        use(['search_vault', { query: 'plumber phone' }]),
        use(finish('Your notes do not have a number for the plumber.', 'not_done')),
      ],
      mistake: [
        use(['search_vault', { query: 'plumber phone' }]),
        use(finish("The plumber's number is 555-0142.")),
      ],
    },
    {
      name: 'list all notes with a property',
      files: VAULT,
      steps: [say('Which of my projects are active?')],
      judge: [
        says('Pond for the school', 'Seed order'),
        doesNotSay('Open garden day'),
        nothingChanges(),
        completes(),
      ],
      solution: [
        use(['query_notes', { properties: { status: 'active' } }]),
        use(finish('[[Pond for the school]] and [[Seed order]].')),
      ],
      mistake: [
        use(['list_files', { path: 'Projects' }]),
        use(finish('[[Open garden day]], [[Pond for the school]] and [[Seed order]].')),
      ],
    },
  ],
};
