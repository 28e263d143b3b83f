import {
  contains,
  hasInOrder,
  hasInSection,
  keepsLines,
  lacks,
  onlyChanges,
} from '../checks/note-checks';
import { completes } from '../checks/turn-checks';
import { append, edit, finish, read, say, swap, use, type Category } from '../task';
import { VAULT } from '../vault';

const TOMATOES = 'Notes/Tomatoes.md';
const SOUP = 'Recipes/Squash soup.md';
const GARDEN_DAY = 'Projects/Open garden day.md';

export const SECTIONS: Category = {
  name: 'sections',
  tasks: [
    {
      name: 'add a line below a heading',
      files: VAULT,
      steps: [say('Under Care in my tomato note, add that they need a stake')],
      judge: [
        hasInSection(TOMATOES, '## Care', /stake/i),
        keepsLines(TOMATOES),
        onlyChanges(TOMATOES),
        completes(),
      ],
      solution: [
        use(
          edit(TOMATOES, { position: 'end-of:## Care', content: 'They need a stake.' }),
          finish('Added it under Care.'),
        ),
      ],
      mistake: [use(append(TOMATOES, 'They need a stake.'), finish('Added it under Care.'))],
    },
    {
      name: 'add a new section before another',
      files: VAULT,
      steps: [
        say(
          'Add a section "Harvest" to the tomato note, before Problems: pick from July, when fully red',
        ),
      ],
      judge: [
        hasInSection(TOMATOES, '## Harvest', /July/),
        hasInOrder(TOMATOES, '## Care', '## Harvest', '## Problems'),
        keepsLines(TOMATOES),
        onlyChanges(TOMATOES),
      ],
      solution: [
        use(
          edit(TOMATOES, {
            position: 'before:## Problems',
            content: '## Harvest\n\nPick from July, when fully red.\n',
          }),
          finish('Added the section.'),
        ),
      ],
      mistake: [
        use(
          append(TOMATOES, '\n## Harvest\n\nPick from July, when fully red.'),
          finish('Added the section.'),
        ),
      ],
    },
    {
      name: 'change a number in a sentence',
      files: VAULT,
      steps: [say('We now turn the compost every two weeks, please correct my note')],
      judge: [
        contains('Notes/Compost.md', /every (two|2) weeks/, 'Two parts brown to one part green.'),
        lacks('Notes/Compost.md', 'three weeks'),
        onlyChanges('Notes/Compost.md'),
        completes(),
      ],
      solution: [use(swap('Notes/Compost.md', 'three weeks', 'two weeks'), finish('Corrected.'))],
      mistake: [use(append('Notes/Compost.md', 'Turn it every two weeks.'), finish('Corrected.'))],
    },
    {
      name: 'rename a heading',
      files: VAULT,
      steps: [say('In the tomato note, call the section Problems "Diseases"')],
      judge: [
        hasInSection(TOMATOES, '## Diseases', 'Blight in wet summers.'),
        lacks(TOMATOES, '## Problems'),
        keepsLines(TOMATOES, ['## Problems']),
        onlyChanges(TOMATOES),
      ],
      solution: [use(swap(TOMATOES, '## Problems', '## Diseases'), finish('Renamed it.'))],
      mistake: [use(swap(TOMATOES, '## Problems', '# Diseases'), finish('Renamed it.'))],
    },
    {
      name: 'renumber the steps of a recipe',
      files: VAULT,
      steps: [
        say('In the squash soup, add a step "Peel the squash." at the beginning of the steps'),
      ],
      judge: [
        hasInSection(SOUP, '## Steps', '1. Peel the squash.', '2. Roast the squash.'),
        hasInSection(SOUP, '## Steps', '3. Fry the onion.', '4. Simmer and blend.'),
        keepsLines(SOUP, [/^\d\. /]),
        onlyChanges(SOUP),
      ],
      solution: [
        use(
          swap(
            SOUP,
            '1. Roast the squash.\n2. Fry the onion.\n3. Simmer and blend.',
            '1. Peel the squash.\n2. Roast the squash.\n3. Fry the onion.\n4. Simmer and blend.',
          ),
          finish('Added the step.'),
        ),
      ],
      mistake: [
        use(
          edit(SOUP, { position: 'end-of:## Steps', content: '4. Peel the squash.' }),
          finish('Added the step.'),
        ),
      ],
    },
    {
      name: 'double a recipe',
      files: VAULT,
      steps: [say('Change the ingredients of the walnut bread so that it serves 12')],
      judge: [
        contains(
          'Recipes/Walnut bread.md',
          /Serves 12/,
          /1([,.]?000 g| kg) flour/,
          '200 g walnuts',
          '14 g yeast',
        ),
        keepsLines('Recipes/Walnut bread.md', [/\d/]),
        onlyChanges('Recipes/Walnut bread.md'),
      ],
      solution: [
        use(read('Recipes/Walnut bread.md')),
        use(
          edit(
            'Recipes/Walnut bread.md',
            { old_text: 'Serves 6.', new_text: 'Serves 12.' },
            { old_text: '500 g flour', new_text: '1000 g flour' },
            { old_text: '100 g walnuts', new_text: '200 g walnuts' },
            { old_text: '7 g yeast', new_text: '14 g yeast' },
          ),
          finish('Doubled it.'),
        ),
      ],
      mistake: [
        use(swap('Recipes/Walnut bread.md', 'Serves 6.', 'Serves 12.'), finish('Doubled it.')),
      ],
    },
    {
      name: 'delete a section',
      files: VAULT,
      steps: [say('Drop the budget section from the open garden day note')],
      judge: [
        lacks(GARDEN_DAY, '## Budget', 'Flyers 40'),
        contains(GARDEN_DAY, 'budget: 250', '## Tasks', '## Notes', 'Last year 80 visitors came.'),
        keepsLines(GARDEN_DAY, ['## Budget', 'Flyers 40']),
        onlyChanges(GARDEN_DAY),
      ],
      solution: [
        use(
          swap(GARDEN_DAY, '## Budget\n\nFlyers 40, cake 60, benches free.\n\n', ''),
          finish('Dropped the section.'),
        ),
      ],
      mistake: [
        use(
          swap(
            GARDEN_DAY,
            '## Budget\n\nFlyers 40, cake 60, benches free.\n\n## Notes\n\nLast year 80 visitors came.\n',
            '',
          ),
          finish('Dropped the section.'),
        ),
      ],
    },
  ],
};
