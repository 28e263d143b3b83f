import {
  contains,
  exists,
  hasProperty,
  isGone,
  keeps,
  linksTo,
  onlyChanges,
} from '../checks/note-checks';
import { calls, completes } from '../checks/turn-checks';
import { append, finish, read, say, swap, use, write, type Category } from '../task';
import { VAULT } from '../vault';

const BEANS = 'Notes/Broad beans.md';
const SOWING = 'Notes/Bean sowing.md';

function move(source: string, destination: string): readonly [string, object] {
  return ['move', { source, destination }];
}

export const ORGANIZING: Category = {
  name: 'organizing',
  tasks: [
    {
      name: 'rename a note with its links',
      files: VAULT,
      steps: [say('Rename the note about Nora Lind to "Nora Lindqvist"')],
      judge: [
        isGone('People/Nora Lind.md'),
        exists('People/Nora Lindqvist.md'),
        linksTo('Projects/Open garden day.md', 'People/Nora Lindqvist.md'),
        linksTo('Journal/2026-11-16.md', 'People/Nora Lindqvist.md'),
        completes(),
      ],
      solution: [
        use(move('People/Nora Lind.md', 'People/Nora Lindqvist.md'), finish('Renamed the note.')),
      ],
      mistake: [
        use(read('People/Nora Lind.md')),
        use(
          write('People/Nora Lindqvist.md', VAULT['People/Nora Lind.md'] ?? ''),
          finish('Renamed the note.'),
        ),
      ],
    },
    {
      name: 'move a note into a new folder',
      files: VAULT,
      steps: [say('Archive the October committee meeting: move it to Archive')],
      judge: [
        isGone('Meetings/2026-10-07 Committee.md'),
        exists('Archive/2026-10-07 Committee.md'),
        keeps('Meetings/2026-11-04 Committee.md'),
        completes(),
      ],
      solution: [
        use(
          move('Meetings/2026-10-07 Committee.md', 'Archive/2026-10-07 Committee.md'),
          finish('Moved it to Archive.'),
        ),
      ],
      mistake: [use(move('Meetings', 'Archive'), finish('Moved it to Archive.'))],
    },
    {
      name: 'merge two notes and delete one',
      files: VAULT,
      approvals: 'allow',
      steps: [say('Merge "Bean sowing" into "Broad beans" and delete the first')],
      judge: [
        isGone(SOWING),
        contains(BEANS, '20 cm between plants', 'Sow in November, 5 cm deep.'),
        onlyChanges(BEANS, SOWING),
        calls('delete'),
        completes(),
      ],
      solution: [
        use(['read_file', { paths: [BEANS, SOWING] }]),
        use(append(BEANS, '\nBroad beans need 20 cm between plants.')),
        use(['delete', { path: SOWING }]),
        use(finish('Merged the notes.')),
      ],
      mistake: [use(['delete', { path: SOWING }]), use(finish('Merged the notes.'))],
    },
    {
      name: 'merge without deleting',
      files: VAULT,
      steps: [say('Copy what "Bean sowing" says into "Broad beans", keep both notes')],
      judge: [
        keeps(SOWING),
        contains(BEANS, /20 cm between plants/, 'Sow in November, 5 cm deep.'),
        onlyChanges(BEANS),
        completes(),
      ],
      solution: [
        use(['read_file', { paths: [BEANS, SOWING] }]),
        use(append(BEANS, '\nBroad beans need 20 cm between plants.'), finish('Copied it.')),
      ],
      mistake: [
        use(read(SOWING)),
        use(append(BEANS, '\nSee [[Bean sowing]].'), finish('Copied it.')),
      ],
    },
    {
      name: 'move all notes on a subject',
      files: VAULT,
      steps: [say('Put both bean notes into a folder Notes/Beans')],
      judge: [
        exists('Notes/Beans/Broad beans.md'),
        exists('Notes/Beans/Bean sowing.md'),
        isGone(BEANS),
        isGone(SOWING),
        keeps('Notes/Tomatoes.md'),
        completes(),
      ],
      solution: [
        use(
          move(BEANS, 'Notes/Beans/Broad beans.md'),
          move(SOWING, 'Notes/Beans/Bean sowing.md'),
          finish('Moved both.'),
        ),
      ],
      mistake: [use(move(BEANS, 'Notes/Beans/Broad beans.md'), finish('Moved both.'))],
    },
    {
      name: 'link two notes',
      files: VAULT,
      steps: [say('Link the frost dates from the tomato note')],
      judge: [
        linksTo('Notes/Tomatoes.md', 'Notes/Frost dates.md'),
        contains('Notes/Tomatoes.md', 'Sow indoors in March.', 'Blight in wet summers.'),
        onlyChanges('Notes/Tomatoes.md'),
        completes(),
      ],
      solution: [
        use(
          ['link_notes', { source: 'Notes/Tomatoes.md', target: 'Notes/Frost dates.md' }],
          finish('Linked them.'),
        ),
      ],
      mistake: [
        use(
          ['link_notes', { source: 'Notes/Frost dates.md', target: 'Notes/Tomatoes.md' }],
          finish('Linked them.'),
        ),
      ],
    },
    {
      name: 'create a note from a template',
      files: {
        ...VAULT,

        'Templates/Person.md': '---\nrole: {{role}}\nphone:\n---\n# {{title}}\n\nMet on:\n',
      },
      settings: { templateFolder: 'Templates' },
      steps: [say('Make a note for a new person, Ines Marlow, a beekeeper, from my template')],
      judge: [
        hasProperty('People/Ines Marlow.md', 'role', 'beekeeper'),
        contains('People/Ines Marlow.md', '# Ines Marlow', 'Met on:'),
        onlyChanges('People/Ines Marlow.md'),
        completes(),
      ],
      solution: [
        use(
          [
            'apply_template',
            {
              template: 'Person',
              path: 'People/Ines Marlow.md',
              variables: { role: 'beekeeper' },
            },
          ],
          finish('Made the note.'),
        ),
      ],
      mistake: [
        use(
          write('People/Ines Marlow.md', '# Ines Marlow\n\nBeekeeper.\n'),
          finish('Made the note.'),
        ),
      ],
    },
    {
      name: 'fix a dead link',
      files: {
        ...VAULT,
        'Notes/Pruning.md': '# Pruning\n\nSee [[Tomatos]] and [[Compost]].\n',
      },
      steps: [say('Find the dead link in my notes and fix it')],
      judge: [
        linksTo('Notes/Pruning.md', 'Notes/Tomatoes.md'),
        contains('Notes/Pruning.md', '[[Compost]]'),
        onlyChanges('Notes/Pruning.md'),
        completes(),
      ],
      solution: [
        use(['find_dead_links', {}]),
        use(swap('Notes/Pruning.md', '[[Tomatos]]', '[[Tomatoes]]'), finish('Fixed it.')),
      ],
      mistake: [
        use(['find_dead_links', {}]),
        use(write('Notes/Tomatos.md', '# Tomatos\n'), finish('Fixed it.')),
      ],
    },
  ],
};
