import { contains, equals, hasLine, keeps, onlyChanges } from '../checks/note-checks';
import { isUndone } from '../checks/turn-checks';
import { append, edit, finish, say, swap, typeInto, use, type Category } from '../task';
import { VAULT } from '../vault';

const SHOPPING = 'Lists/Shopping.md';
const PACKING = 'Lists/Packing.md';
const UNDO = { do: 'undo' } as const;

/** What the user undoes, with words of their own in between. */
export const UNDOING: Category = {
  name: 'undoing',
  tasks: [
    {
      name: 'undo after the user typed',
      files: VAULT,
      steps: [
        say('Add milk to my shopping list'),
        typeInto(SHOPPING, '- [ ] bread', '- [ ] rye bread'),
        UNDO,
      ],
      judge: [
        equals(SHOPPING, '# Shopping\n\n- [ ] rye bread\n- [ ] butter\n- [x] coffee\n'),
        isUndone(SHOPPING),
        onlyChanges(SHOPPING),
      ],
      solution: [use(append(SHOPPING, '- [ ] milk'), finish('Added milk.'))],
      mistake: [use(append(PACKING, '- milk'), finish('Added milk.'))],
    },
    {
      name: 'do it differently after an undo',
      files: VAULT,
      steps: [say('Add a towel to the packing list'), UNDO, say('I meant two towels')],
      judge: [
        hasLine(PACKING, /^- (2|two) towels$/i),
        hasLine(PACKING, /towel/i),
        contains(PACKING, '- tent\n- sleeping bag\n- torch'),
        onlyChanges(PACKING),
      ],
      solution: [
        use(append(PACKING, '- towel'), finish('Added a towel.')),
        use(append(PACKING, '- two towels'), finish('Added two towels.')),
      ],
      mistake: [
        use(append(PACKING, '- towel'), finish('Added a towel.')),
        use(append(PACKING, '- towel\n- two towels'), finish('Added two towels.')),
      ],
    },
    {
      name: 'undo a change of two notes',
      files: VAULT,
      steps: [
        say('Move the torch from the packing list to the shopping list'),
        typeInto(SHOPPING, '# Shopping', '# Groceries'),
        UNDO,
      ],
      judge: [
        keeps(PACKING),
        equals(SHOPPING, '# Groceries\n\n- [ ] bread\n- [ ] butter\n- [x] coffee\n'),
        isUndone(PACKING),
        isUndone(SHOPPING),
      ],
      solution: [
        use(
          swap(PACKING, '- torch\n', ''),
          append(SHOPPING, '- [ ] torch'),
          finish('Moved the torch.'),
        ),
      ],
      mistake: [use(append(SHOPPING, '- [ ] torch'), finish('Moved the torch.'))],
    },
    {
      name: 'work with what the user typed meanwhile',
      files: VAULT,
      steps: [
        say('Add milk to my shopping list'),
        typeInto(SHOPPING, '- [ ] butter\n', '- [ ] butter\n- [ ] cheese\n'),
        say('Tick the cheese, I have it'),
      ],
      judge: [
        hasLine(SHOPPING, '- [x] cheese'),
        hasLine(SHOPPING, /^- \[ \] milk$/i),
        hasLine(SHOPPING, '- [ ] butter'),
        onlyChanges(SHOPPING),
      ],
      solution: [
        use(append(SHOPPING, '- [ ] milk'), finish('Added milk.')),
        use(swap(SHOPPING, '- [ ] cheese', '- [x] cheese'), finish('Ticked the cheese.')),
      ],
      mistake: [
        use(append(SHOPPING, '- [ ] milk'), finish('Added milk.')),
        use(
          edit(SHOPPING, { old_text: '- [ ] butter', new_text: '- [x] butter' }),
          finish('Ticked the cheese.'),
        ),
      ],
    },
  ],
};
