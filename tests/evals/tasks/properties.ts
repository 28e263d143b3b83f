import { contains, hasProperty, keeps, keepsLines, onlyChanges } from '../checks/note-checks';
import { completes } from '../checks/turn-checks';
import { append, finish, say, swap, use, type Category } from '../task';
import { VAULT } from '../vault';

const POND = 'Projects/Pond for the school.md';
const GARDEN_DAY = 'Projects/Open garden day.md';
const SEEDS = 'Projects/Seed order.md';

function set(path: string, values: object): readonly [string, object] {
  return ['update_properties', { path, set: values }];
}

export const PROPERTIES: Category = {
  name: 'properties',
  tasks: [
    {
      name: 'set a status',
      files: VAULT,
      steps: [say('The pond is finished, mark the project as done')],
      judge: [
        hasProperty(POND, 'status', 'done'),
        hasProperty(POND, 'budget', 900),
        keepsLines(POND, ['status:']),
        onlyChanges(POND),
        completes(),
      ],
      solution: [use(set(POND, { status: 'done' }), finish('Marked it as done.'))],
      mistake: [use(append(POND, 'Status: done'), finish('Marked it as done.'))],
    },
    {
      name: 'add a property with a number',
      files: VAULT,
      steps: [say('Add a property "visitors" with 80 to the open garden day')],
      judge: [
        hasProperty(GARDEN_DAY, 'visitors', 80),
        keepsLines(GARDEN_DAY),
        onlyChanges(GARDEN_DAY),
      ],
      solution: [use(set(GARDEN_DAY, { visitors: 80 }), finish('Added it.'))],
      mistake: [use(set(GARDEN_DAY, { visitors: '80 visitors' }), finish('Added it.'))],
    },
    {
      name: 'move a date',
      files: VAULT,
      steps: [say('The open garden day is a week later, change its date')],
      judge: [
        contains(GARDEN_DAY, /^date: ["']?2027-06-19["']?$/m),
        keepsLines(GARDEN_DAY, ['date:']),
        onlyChanges(GARDEN_DAY),
      ],
      solution: [use(set(GARDEN_DAY, { date: '2027-06-19' }), finish('Moved to 19 June.'))],
      mistake: [use(set(GARDEN_DAY, { date: '2027-06-13' }), finish('Moved by a week.'))],
    },
    {
      name: 'add a tag to a list of tags',
      files: VAULT,
      steps: [say('Tag the open garden day with "summer"')],
      judge: [
        hasProperty(GARDEN_DAY, 'tags', ['event', 'summer']),
        keepsLines(GARDEN_DAY, ['tags:']),
        onlyChanges(GARDEN_DAY),
      ],
      solution: [use(['add_tags', { path: GARDEN_DAY, tags: ['summer'] }], finish('Tagged it.'))],
      mistake: [use(set(GARDEN_DAY, { tags: ['summer'] }), finish('Tagged it.'))],
    },
    {
      name: 'remove a property',
      files: VAULT,
      steps: [say("Remove Nora's birthday from her note")],
      judge: [
        hasProperty('People/Nora Lind.md', 'birthday', undefined),
        hasProperty('People/Nora Lind.md', 'phone', '555-0142'),
        keepsLines('People/Nora Lind.md', ['birthday:']),
        onlyChanges('People/Nora Lind.md'),
      ],
      solution: [
        use(
          ['update_properties', { path: 'People/Nora Lind.md', remove: ['birthday'] }],
          finish('Removed it.'),
        ),
      ],
      mistake: [use(set('People/Nora Lind.md', { birthday: null }), finish('Removed it.'))],
    },
    {
      name: 'change only the notes that fit',
      files: VAULT,
      steps: [say('Set the status of every active project to "paused"')],
      judge: [
        hasProperty(POND, 'status', 'paused'),
        hasProperty(SEEDS, 'status', 'paused'),
        keeps(GARDEN_DAY),
        onlyChanges(POND, SEEDS),
        completes(),
      ],
      solution: [
        use(['query_notes', { folder: 'Projects', properties: { status: 'active' } }]),
        use(
          set(POND, { status: 'paused' }),
          set(SEEDS, { status: 'paused' }),
          finish('Paused both.'),
        ),
      ],
      mistake: [
        use(
          set(POND, { status: 'paused' }),
          set(SEEDS, { status: 'paused' }),
          set(GARDEN_DAY, { status: 'paused' }),
          finish('Paused all.'),
        ),
      ],
    },
    {
      name: 'give front matter to a note without any',
      files: VAULT,
      steps: [say('Give the compost note a property "area" with the value "soil"')],
      judge: [
        hasProperty('Notes/Compost.md', 'area', 'soil'),
        keepsLines('Notes/Compost.md'),
        onlyChanges('Notes/Compost.md'),
      ],
      solution: [use(set('Notes/Compost.md', { area: 'soil' }), finish('Added it.'))],
      mistake: [
        use(
          swap('Notes/Compost.md', '# Compost\n', '# Compost\n\narea: soil\n'),
          finish('Added it.'),
        ),
      ],
    },
  ],
};
