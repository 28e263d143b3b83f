import {
  contains,
  equals,
  exists,
  hasProperty,
  isGone,
  keeps,
  lacks,
  onlyChanges,
} from '../checks/note-checks';
import { calls, completes, takesAtMost } from '../checks/turn-checks';
import { finish, say, use, type Category, type Files } from '../task';
import { VAULT } from '../vault';

const NAMES = Array.from({ length: 12 }, (_, at) => `Birds/Bird ${at + 1}.md`);

/** Twelve notes of a folder, two of them without the tag. */
const BIRDS: Files = Object.fromEntries(
  NAMES.map((path, at) => [
    path,
    at < 10
      ? `---\nkind: bird\ntags: [wildlife]\n---\nSeen ${at + 1} times. #wildlife/seen\n`
      : `---\nkind: bird\n---\nNever seen, see \`#wildlife\`.\n`,
  ]),
);
const FILES = { ...VAULT, ...BIRDS };
const NUMBERS = Object.fromEntries(NAMES.map((path, at) => [path, { number: at + 1 }]));

const MEETINGS = ['Meetings/2026-10-07 Committee.md', 'Meetings/2026-11-04 Committee.md'];

export const BULK: Category = {
  name: 'bulk',
  tasks: [
    {
      name: 'set a property in all notes of a folder',
      files: FILES,
      approvals: 'allow',
      steps: [say('Set the property "status" to "draft" in every note of the folder Birds')],
      judge: [
        ...NAMES.map((path) => hasProperty(path, 'status', 'draft')),
        ...NAMES.map((path) => hasProperty(path, 'kind', 'bird')),
        onlyChanges(...NAMES),
        takesAtMost(3),
        completes(),
      ],
      solution: [
        use(
          ['update_properties', { where: { folder: 'Birds' }, set: { status: 'draft' } }],
          finish('Set the status of all 12 notes.'),
        ),
      ],
      mistake: [
        use(
          ['update_properties', { paths: NAMES.slice(0, 10), set: { status: 'draft' } }],
          finish('Set the status of all notes.'),
        ),
      ],
    },
    {
      name: 'give each note a value of its own',
      files: FILES,
      approvals: 'allow',
      steps: [
        say('Set "number" in each note of the folder Birds to the number in the name of the note'),
      ],
      judge: [
        ...NAMES.map((path, at) => hasProperty(path, 'number', at + 1)),
        ...NAMES.map((path) => hasProperty(path, 'kind', 'bird')),
        onlyChanges(...NAMES),
        takesAtMost(4),
        completes(),
      ],
      solution: [
        use(
          ['update_properties', { each: NUMBERS }],
          finish('Set the number of all 12 notes to the one in its name.'),
        ),
      ],
      mistake: [
        use(
          ['update_properties', { where: { folder: 'Birds' }, set: { number: 1 } }],
          finish('Set the number of all 12 notes.'),
        ),
      ],
    },
    {
      name: 'rename a property in several notes',
      files: FILES,
      approvals: 'allow',
      steps: [say('In the bird notes, rename the property "kind" to "type"')],
      judge: [
        ...NAMES.map((path) => hasProperty(path, 'type', 'bird')),
        ...NAMES.map((path) => hasProperty(path, 'kind', undefined)),
        onlyChanges(...NAMES),
        completes(),
      ],
      solution: [
        use(
          ['update_properties', { where: { folder: 'Birds' }, rename: { kind: 'type' } }],
          finish('Renamed it in 12 notes.'),
        ),
      ],
      mistake: [
        use(
          ['update_properties', { where: { folder: 'Birds' }, set: { type: 'bird' } }],
          finish('Renamed it in 12 notes.'),
        ),
      ],
    },
    {
      name: 'rename a tag in properties and text',
      files: FILES,
      approvals: 'allow',
      steps: [say('Rename the tag #wildlife to #nature everywhere')],
      judge: [
        ...NAMES.slice(0, 10).map((path) => hasProperty(path, 'tags', ['nature'])),
        ...NAMES.slice(0, 10).map((path) => contains(path, '#nature/seen')),
        ...NAMES.slice(10).map(keeps),
        onlyChanges(...NAMES.slice(0, 10)),
        completes(),
      ],
      solution: [
        use(['rename_tag', { tag: 'wildlife', to: 'nature' }], finish('Renamed it in 10 notes.')),
      ],
      mistake: [
        use(
          ['add_tags', { where: { tags: ['wildlife'] }, tags: ['nature'] }],
          finish('Renamed it in 10 notes.'),
        ),
      ],
    },
    {
      name: 'remove a tag from some notes',
      files: FILES,
      steps: [
        say('Remove #wildlife and all tags below it from Bird 1 and Bird 2, and nothing else'),
      ],
      judge: [
        ...NAMES.slice(0, 2).map((path) => lacks(path, 'wildlife')),
        ...NAMES.slice(0, 2).map((path) => hasProperty(path, 'kind', 'bird')),
        onlyChanges(...NAMES.slice(0, 2)),
        completes(),
      ],
      solution: [
        use(
          ['rename_tag', { tag: 'wildlife', to: null, paths: NAMES.slice(0, 2) }],
          finish('Removed it from both notes.'),
        ),
      ],
      mistake: [
        use(
          ['update_properties', { paths: NAMES.slice(0, 2), remove: ['tags'] }],
          finish('Removed it from both notes.'),
        ),
      ],
    },
    {
      name: 'sort notes into folders',
      files: FILES,
      approvals: 'allow',
      steps: [
        say(
          'Move the bird notes that were never seen (11 and 12) to Birds/Wanted, the others to Birds/Seen',
        ),
      ],
      judge: [
        ...NAMES.map(isGone),
        ...NAMES.map((path, at) =>
          exists(path.replace('Birds/', at < 10 ? 'Birds/Seen/' : 'Birds/Wanted/')),
        ),
        takesAtMost(4),
        completes(),
      ],
      solution: [
        use(
          [
            'move',
            {
              moves: NAMES.map((source, at) => ({
                source,
                destination: at < 10 ? 'Birds/Seen/' : 'Birds/Wanted/',
              })),
            },
          ],
          finish('Sorted 12 notes into two folders.'),
        ),
      ],
      mistake: [
        use(
          ['move', { source: 'Birds/Bird 1.md', destination: 'Birds/Seen/' }],
          finish('Sorted 12 notes into two folders.'),
        ),
      ],
    },
    {
      name: 'delete several notes with one approval',
      files: VAULT,
      approvals: 'allow',
      steps: [say('Delete both committee meetings')],
      judge: [...MEETINGS.map(isGone), onlyChanges(...MEETINGS), calls('delete'), completes()],
      solution: [use(['delete', { paths: MEETINGS }], finish('Deleted both meetings.'))],
      mistake: [use(['delete', { path: MEETINGS[0] }], finish('Deleted both meetings.'))],
    },
    {
      name: 'duplicate a note',
      files: VAULT,
      steps: [say('Duplicate the packing list as "Packing for winter", in the same folder')],
      judge: [
        keeps('Lists/Packing.md'),
        equals('Lists/Packing for winter.md', VAULT['Lists/Packing.md'] ?? ''),
        completes(),
      ],
      solution: [
        use(
          ['copy', { source: 'Lists/Packing.md', destination: 'Lists/Packing for winter.md' }],
          finish('Made a copy.'),
        ),
      ],
      mistake: [use(['copy_notes', { paths: ['Lists/Packing.md'] }], finish('Made a copy.'))],
    },
  ],
};
