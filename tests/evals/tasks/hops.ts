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
      name: 'the tasks that are due in a week',
      files: {
        ...VAULT,
        'Lists/House.md':
          '# House\n\n- [ ] sweep the chimney 📅 2026-12-12\n- [x] pay the rent 📅 2026-12-01\n\n## Garden\n\n- [ ] cover the beds 📅 2026-12-03\n',
        'Notes/Club.md': '# Club\n\n- [ ] order the seed list [due:: 2026-12-05]\n- [ ] someday\n',
      },
      steps: [say('What do I still have to do from December 1 to 7, 2026? Only what has a date.')],
      judge: [
        says(/cover the beds/i, /seed list/i),
        doesNotSay(/chimney/i, /rent/i),
        nothingChanges(),
        completes(),
      ],
      solution: [
        use(['query_notes', { due: { from: '2026-12-01', to: '2026-12-07' }, show: ['headings'] }]),
        use(finish('Cover the beds (December 3) and order the seed list (December 5).')),
      ],
      mistake: [
        use(['query_notes', { tasks: 'open' }]),
        use(finish('Cover the beds and sweep the chimney.')),
      ],
    },
    {
      name: 'the sum over the notes of a folder',
      files: {
        ...VAULT,
        'Trips/Coast.md': '# Coast\n\nThe train was 84 euros, the room 120.\n',
        'Trips/Hills.md': '# Hills\n\nThe bus was 16 euros.\n',
        'Trips/Lake.md': '# Lake\n\nThe ferry was 30 euros.\n',
      },
      steps: [say('What did all the trips in my Trips folder cost together?')],
      judge: [says(/\b250\b/), nothingChanges(), completes()],
      solution: [use(['read_file', { path: 'Trips/' }]), use(finish('250 euros.'))],
      mistake: [use(read('Trips/Coast.md')), use(finish('204 euros.'))],
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
