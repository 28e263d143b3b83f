import {
  contains,
  exists,
  hasLine,
  hasProperty,
  keepsLines,
  onlyChanges,
} from '../checks/note-checks';
import { completes, survivesKill } from '../checks/turn-checks';
import { append, edit, finish, read, say, swap, use, write, type Category } from '../task';
import { VAULT } from '../vault';

const SHOPPING = 'Lists/Shopping.md';
const POND = 'Projects/Pond for the school.md';

/** The program is killed in the middle of a turn and started again. */
export const INTERRUPTIONS: Category = {
  name: 'interruptions',
  tasks: [
    {
      name: 'a kill after the first change',
      files: VAULT,
      steps: [say('Add milk to the shopping list, and a towel to the packing list', 'change-end')],
      judge: [
        survivesKill(),
        hasLine(SHOPPING, /milk/i),
        hasLine('Lists/Packing.md', /towel/i),
        keepsLines(SHOPPING),
        onlyChanges(SHOPPING, 'Lists/Packing.md'),
        completes(),
      ],
      solution: [
        use(append(SHOPPING, '- [ ] milk')),
        use(append('Lists/Packing.md', '- towel'), finish('Added both.')),
      ],
      mistake: [
        use(append(SHOPPING, '- [ ] milk')),
        use(
          append(SHOPPING, '- [ ] milk again'),
          append('Lists/Packing.md', '- towel'),
          finish('Added both.'),
        ),
      ],
    },
    {
      name: 'a kill when a change begins',
      files: VAULT,
      steps: [say('Tick off bread on my shopping list', 'change-start')],
      judge: [
        survivesKill(),
        hasLine(SHOPPING, '- [x] bread'),
        keepsLines(SHOPPING, ['bread']),
        onlyChanges(SHOPPING),
        completes(),
      ],
      solution: [
        use(read(SHOPPING)),
        use(swap(SHOPPING, '- [ ] bread', '- [x] bread'), finish('Ticked off bread.')),
        // Whether the change was made before the kill depends on the moment.
        use(read(SHOPPING)),
        use(
          edit(SHOPPING, { position: 'replace:3', content: '- [x] bread' }),
          finish('Ticked off bread.'),
        ),
      ],
      mistake: [use(read(SHOPPING)), use(finish('Ticked off bread.'))],
    },
    {
      name: 'a kill before the first reply',
      files: VAULT,
      steps: [say('Mark the pond project as done', 'step-start')],
      judge: [
        survivesKill(),
        hasProperty(POND, 'status', 'done'),
        keepsLines(POND, ['status:']),
        onlyChanges(POND),
        completes(),
      ],
      solution: [
        use(
          ['update_properties', { path: POND, set: { status: 'done' } }],
          finish('Marked it as done.'),
        ),
      ],
      mistake: [use(append(POND, 'Done.'), finish('Marked it as done.'))],
    },
    {
      name: 'a kill between two notes',
      files: VAULT,
      steps: [
        say(
          'Write the notes Notes/Peas.md ("Sow in March") and Notes/Leeks.md ("Sow in April")',
          'change-end',
        ),
      ],
      judge: [
        survivesKill(),
        exists('Notes/Peas.md'),
        contains('Notes/Peas.md', /March/),
        contains('Notes/Leeks.md', /April/),
        onlyChanges('Notes/Peas.md', 'Notes/Leeks.md'),
        completes(),
      ],
      solution: [
        use(write('Notes/Peas.md', '# Peas\n\nSow in March.\n')),
        use(write('Notes/Leeks.md', '# Leeks\n\nSow in April.\n'), finish('Wrote both.')),
      ],
      mistake: [
        use(write('Notes/Peas.md', '# Peas\n\nSow in March.\n')),
        use(
          edit('Notes/Peas.md', { position: 'end', content: 'Leeks: sow in April.' }),
          finish('Wrote both.'),
        ),
      ],
    },
  ],
};
