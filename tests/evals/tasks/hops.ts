import {
  contains,
  hasInSection,
  keepsLines,
  nothingChanges,
  onlyChanges,
} from '../checks/note-checks';
import { completes, doesNotSay, names, says } from '../checks/turn-checks';
import { edit, finish, read, say, use, write, type Category } from '../task';
import { VAULT } from '../vault';

const GARDEN_DAY = 'Projects/Open garden day.md';
const NORA = 'People/Nora Lind.md';
const MATEO = 'People/Mateo Ruiz.md';

/** Answers that need two notes or more. */
export const HOPS: Category = {
  name: 'hops',
  tasks: [
    {
      name: 'the phone number of the contact of a project',
      files: VAULT,
      steps: [say('Which number do I call about the open garden day?')],
      judge: [says('555-0142'), doesNotSay('555-0177', '555-0190'), nothingChanges(), completes()],
      solution: [use(read(GARDEN_DAY)), use(read(NORA)), use(finish('555-0142, Nora Lind.'))],
      mistake: [use(read(GARDEN_DAY)), use(read(MATEO)), use(finish('555-0177, Mateo Ruiz.'))],
    },
    {
      name: 'what the partner of someone drives',
      files: VAULT,
      steps: [say("What does Nora's partner drive?")],
      judge: [says(/blue van/i), nothingChanges(), completes()],
      solution: [use(read(NORA)), use(read(MATEO)), use(finish('Mateo drives a blue van.'))],
      mistake: [use(read(NORA)), use(finish('Your notes do not say.', 'not_done'))],
    },
    {
      name: 'the difference between two meetings',
      files: VAULT,
      steps: [say('By how much did the water bill go up between the last two committee meetings?')],
      judge: [says(/\b(6|six)\b/i), nothingChanges(), completes()],
      solution: [
        use([
          'read_file',
          { paths: ['Meetings/2026-10-07 Committee.md', 'Meetings/2026-11-04 Committee.md'] },
        ]),
        use(finish('By 6 euros a plot, from 42 to 48.')),
      ],
      mistake: [
        use(read('Meetings/2026-11-04 Committee.md')),
        use(finish('It went up to 48 euros a plot.')),
      ],
    },
    {
      name: 'the sum of a property over a folder',
      files: VAULT,
      steps: [say('What is the total budget of all my projects?')],
      judge: [says(/1[,.\u202f ]?150/), nothingChanges(), completes()],
      solution: [
        use(['get_properties', { paths: [GARDEN_DAY, 'Projects/Pond for the school.md'] }]),
        use(finish('1,150: 250 for the garden day and 900 for the pond.')),
      ],
      mistake: [
        use(['get_properties', { paths: ['Projects/Pond for the school.md'] }]),
        use(finish('900, for the pond.')),
      ],
    },
    {
      name: 'a conflict between two notes',
      files: VAULT,
      steps: [say('Nora comes to dinner. Can I serve my walnut bread?')],
      judge: [says(/nut/i, /\b(no|not|n't|avoid|allerg\w*)\b/i), names(NORA), nothingChanges()],
      solution: [
        use(['read_file', { paths: [NORA, 'Recipes/Walnut bread.md'] }]),
        use(finish('No: [[Nora Lind]] is allergic to nuts.')),
      ],
      mistake: [use(read('Recipes/Walnut bread.md')), use(finish('Yes, it serves 6.'))],
    },
    {
      name: 'use one note to change another',
      files: VAULT,
      steps: [say("Write the name and phone number of the pond's contact into its notes section")],
      judge: [
        hasInSection('Projects/Pond for the school.md', '## Notes', /Tamsin/, '555-0190'),
        keepsLines('Projects/Pond for the school.md'),
        onlyChanges('Projects/Pond for the school.md'),
        completes(),
      ],
      solution: [
        use(read('Projects/Pond for the school.md'), read('People/Tamsin Reed.md')),
        use(
          edit('Projects/Pond for the school.md', {
            position: 'end-of:## Notes',
            content: 'Contact: [[Tamsin Reed]], 555-0190.',
          }),
          finish('Added the number of Tamsin Reed.'),
        ),
      ],
      mistake: [
        use(read('Projects/Pond for the school.md')),
        use(
          edit('Projects/Pond for the school.md', {
            position: 'end-of:## Notes',
            content: 'Contact: [[Nora Lind]], 555-0142.',
          }),
          finish('Added the number.'),
        ),
      ],
    },
    {
      name: 'collect from several notes in a new one',
      files: VAULT,
      steps: [say('Make a note "Phone list" in Notes with the numbers of all the people I have')],
      judge: [
        onlyChanges('Notes/Phone list.md'),
        contains('Notes/Phone list.md', '555-0142', '555-0177', '555-0190'),
        completes(),
      ],
      solution: [
        use(['get_properties', { paths: [NORA, MATEO, 'People/Tamsin Reed.md'] }]),
        use(
          write(
            'Notes/Phone list.md',
            '# Phone list\n\n- [[Nora Lind]]: 555-0142\n- [[Mateo Ruiz]]: 555-0177\n- [[Tamsin Reed]]: 555-0190\n',
          ),
          finish('Made the phone list.'),
        ),
      ],
      mistake: [
        use(['get_properties', { paths: [NORA, MATEO] }]),
        use(
          write('Notes/Phone list.md', '# Phone list\n\n- Nora: 555-0142\n- Mateo: 555-0177\n'),
          finish('Made the phone list.'),
        ),
      ],
    },
  ],
};
