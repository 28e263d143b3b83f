import {
  contains,
  createsNotes,
  equals,
  hasInOrder,
  hasLine,
  keepsLines,
  linksTo,
  onlyChanges,
} from '../checks/note-checks';
import { completes } from '../checks/turn-checks';
import { append, edit, finish, read, say, use, write, type Category } from '../task';
import { VAULT } from '../vault';

const SOUP = 'Recipes/Squash soup.md';

/** New notes, and longer texts made from others. */
export const WRITING: Category = {
  name: 'writing',
  tasks: [
    {
      name: 'write a journal entry in its place',
      files: VAULT,
      steps: [say('Write into my journal of 2026-11-20 that I pruned the apple tree')],
      judge: [
        contains('Journal/2026-11-20.md', /pruned the apple tree/i),
        onlyChanges('Journal/2026-11-20.md'),
        completes(),
      ],
      solution: [
        use(
          write('Journal/2026-11-20.md', '# 2026-11-20\n\nPruned the apple tree.\n'),
          finish('Started the entry.'),
        ),
      ],
      mistake: [
        use(append('Journal/2026-11-16.md', 'Pruned the apple tree.'), finish('Wrote the entry.')),
      ],
    },
    {
      name: 'add to a journal entry that exists',
      files: VAULT,
      steps: [say('Also note in my journal of 2026-11-16 that the first leeks are ready')],
      judge: [
        contains('Journal/2026-11-16.md', /leeks/i),
        keepsLines('Journal/2026-11-16.md'),
        onlyChanges('Journal/2026-11-16.md'),
      ],
      solution: [
        use(
          append('Journal/2026-11-16.md', '\nThe first leeks are ready.'),
          finish('Added it to the entry.'),
        ),
      ],
      mistake: [
        use(
          write('Journal/2026-11-16 Leeks.md', 'The first leeks are ready.\n'),
          finish('Added it.'),
        ),
      ],
    },
    {
      name: 'summarize several notes with links',
      files: VAULT,
      steps: [
        say(
          'Make a note "Notes/November.md" with one bullet per journal entry of November, linking each',
        ),
      ],
      judge: [
        linksTo('Notes/November.md', 'Journal/2026-11-02.md'),
        linksTo('Notes/November.md', 'Journal/2026-11-09.md'),
        linksTo('Notes/November.md', 'Journal/2026-11-16.md'),
        hasLine('Notes/November.md', /^[-*] .*\[\[.*2026-11-/, 3),
        onlyChanges('Notes/November.md'),
      ],
      solution: [
        use([
          'read_file',
          { paths: ['Journal/2026-11-02.md', 'Journal/2026-11-09.md', 'Journal/2026-11-16.md'] },
        ]),
        use(
          write(
            'Notes/November.md',
            '# November\n\n- [[2026-11-02]]: garlic\n- [[2026-11-09]]: first frost\n- [[2026-11-16]]: compost\n',
          ),
          finish('Made the note.'),
        ),
      ],
      mistake: [
        use(
          write(
            'Notes/November.md',
            '# November\n\n- [[2026-11-02]]: garlic\n- frost\n- compost\n',
          ),
          finish('Made the note.'),
        ),
      ],
    },
    {
      name: 'split a note in two',
      files: VAULT,
      steps: [
        say(
          'Move the Care section of the tomato note into a note "Notes/Tomato care.md" and link it',
        ),
      ],
      judge: [
        contains('Notes/Tomato care.md', 'Water at the roots. Pinch out side shoots.'),
        linksTo('Notes/Tomatoes.md', 'Notes/Tomato care.md'),
        contains('Notes/Tomatoes.md', 'Sow indoors in March.', '## Problems'),
        hasLine('Notes/Tomatoes.md', /Pinch out/, 0),
        onlyChanges('Notes/Tomatoes.md', 'Notes/Tomato care.md'),
      ],
      solution: [
        use(read('Notes/Tomatoes.md')),
        use(
          write(
            'Notes/Tomato care.md',
            '# Tomato care\n\nWater at the roots. Pinch out side shoots.\n',
          ),
          edit('Notes/Tomatoes.md', {
            old_text: 'Water at the roots. Pinch out side shoots.',
            new_text: 'See [[Tomato care]].',
          }),
          finish('Split the note.'),
        ),
      ],
      mistake: [
        use(read('Notes/Tomatoes.md')),
        use(
          write('Notes/Tomato care.md', '# Tomato care\n\nWater and pinch.\n'),
          edit('Notes/Tomatoes.md', {
            old_text: 'Water at the roots. Pinch out side shoots.',
            new_text: 'See [[Tomato care]].',
          }),
          finish('Split the note.'),
        ),
      ],
    },
    {
      name: 'copy a recipe for fewer people',
      files: VAULT,
      steps: [
        say('Make a copy of the squash soup for two people as "Recipes/Squash soup for two.md"'),
      ],
      judge: [
        contains(
          'Recipes/Squash soup for two.md',
          /(500 g|(0?[.,]5|½|1\/2) kg) squash/,
          /250 ml stock/,
        ),
        hasInOrder('Recipes/Squash soup for two.md', 'Roast the squash', 'Simmer and blend'),
        createsNotes(1),
        onlyChanges('Recipes/Squash soup for two.md'),
      ],
      solution: [
        use(read(SOUP)),
        use(
          write(
            'Recipes/Squash soup for two.md',
            '# Squash soup for two\n\nServes 2.\n\n## Ingredients\n\n- 500 g squash\n- 1/2 onion\n- 250 ml stock\n\n## Steps\n\n1. Roast the squash.\n2. Fry the onion.\n3. Simmer and blend.\n',
          ),
          finish('Made the copy.'),
        ),
      ],
      mistake: [
        use(read(SOUP)),
        use(write('Recipes/Squash soup for two.md', VAULT[SOUP] ?? ''), finish('Made the copy.')),
      ],
    },
    {
      name: 'correct a note without retyping it',
      files: { ...VAULT, 'Notes/Windows.md': 'First line.\r\nOld shed.\r\nLast line.\r\n' },
      steps: [say('In my note "Windows", it is a new shed, not an old one')],
      judge: [
        equals('Notes/Windows.md', 'First line.\r\nNew shed.\r\nLast line.\r\n'),
        onlyChanges('Notes/Windows.md'),
        completes(),
      ],
      solution: [
        use(read('Notes/Windows.md')),
        use(
          edit('Notes/Windows.md', { old_text: 'Old shed.', new_text: 'New shed.' }),
          finish('Corrected.'),
        ),
      ],
      mistake: [
        use(read('Notes/Windows.md')),
        use(
          edit('Notes/Windows.md', { old_text: 'Old shed.', new_text: 'Old shed. New shed.' }),
          finish('Corrected.'),
        ),
      ],
    },
  ],
};
