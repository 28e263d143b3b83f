import {
  contains,
  exists,
  hasProperty,
  isGone,
  keeps,
  lacks,
  linksTo,
  onlyChanges,
} from '../checks/note-checks';
import { calls, completes, takesAtMost } from '../checks/turn-checks';
import { append, edit, finish, read, say, swap, use, write, type Category } from '../task';
import { VAULT } from '../vault';

const BEANS = 'Notes/Broad beans.md';
const SOWING = 'Notes/Bean sowing.md';

const DIARY = 'Journal/2026-11-18.md';
const SOWING_DIARY =
  '# 2026-11-18\n\nSee [[Bean sowing]], [[Bean sowing|how to sow]] and [this](../Notes/Bean%20sowing.md), not `[[Bean sowing]]`.\n';

const WHOLE_BEANS = '# Broad beans\n\nSow in November, 5 cm deep, with 20 cm between plants.\n';

const NEW_ADDRESS = { old_text: 'https://old.example/', new_text: 'https://new.example/' };
const PLOT_PATHS = Array.from({ length: 12 }, (_, at) => `Notes/Plot ${at + 1}.md`);
const PLOTS = {
  ...Object.fromEntries(
    PLOT_PATHS.map((path, at) => [
      path,
      `---\nsource: https://old.example/${at + 1}\n---\nSee [the beds](https://old.example/beds).\n`,
    ]),
  ),
  'Notes/Olden days.md': '# Olden days\n\nThe site was called old example.\n',
};

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
        use(read(BEANS)),
        use(edit(BEANS, { position: 'end', content_of: SOWING }), finish('Copied it.')),
      ],
      mistake: [
        use(read(SOWING)),
        use(append(BEANS, '\nSee [[Bean sowing]].'), finish('Copied it.')),
      ],
    },
    {
      name: 'replace an address in all notes',
      files: PLOTS,
      approvals: 'allow',
      steps: [
        say('Our site moved: replace https://old.example/ by https://new.example/ everywhere'),
      ],
      judge: [
        ...PLOT_PATHS.flatMap((path) => [
          contains(path, 'https://new.example/beds'),
          lacks(path, 'https://old.example/'),
        ]),
        keeps('Notes/Olden days.md'),
        calls('replace_in_notes'),
        takesAtMost(4),
        completes(),
      ],
      solution: [
        use(['replace_in_notes', { replacements: [NEW_ADDRESS], count_only: true }]),
        use(['replace_in_notes', { replacements: [NEW_ADDRESS] }]),
        use(finish('Replaced the address 24 times in 12 notes.')),
      ],
      mistake: [
        use(
          edit('Notes/Plot 1.md', { ...NEW_ADDRESS, replace_all: true }),
          finish('Replaced the address everywhere.'),
        ),
      ],
    },
    {
      name: 'redirect the links of a merged note',
      files: { ...VAULT, [DIARY]: SOWING_DIARY, [BEANS]: WHOLE_BEANS },
      approvals: 'allow',
      steps: [
        say(
          'What "Bean sowing" says is in "Broad beans" by now. Make all links to it lead there, then delete it',
        ),
      ],
      judge: [
        isGone(SOWING),
        linksTo(DIARY, BEANS),
        contains(DIARY, '|how to sow]]', '`[[Bean sowing]]`'),
        lacks(DIARY, 'See [[Bean sowing]]', 'Bean%20sowing'),
        onlyChanges(DIARY, SOWING),
        calls('redirect_links'),
        completes(),
      ],
      solution: [
        use(['redirect_links', { from: SOWING, to: BEANS }]),
        use(['delete', { path: SOWING }]),
        use(finish('Redirected 3 links and deleted the note.')),
      ],
      mistake: [use(['delete', { path: SOWING }]), use(finish('Deleted the note.'))],
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
