import {
  changesNoOldNote,
  createsNote,
  createsNotes,
  hasInSection,
  hasLine,
  keepsLines,
  onlyChanges,
} from '../checks/note-checks';
import { asksNothing, completes, needsNoApproval, says } from '../checks/turn-checks';
import { append, edit, finish, say, swap, use, write, type Category } from '../task';
import { VAULT } from '../vault';

const SHOPPING = 'Lists/Shopping.md';
const TODO = 'Lists/Todo.md';

export const LISTS: Category = {
  name: 'lists',
  tasks: [
    {
      name: 'add an item in the style of the list',
      files: VAULT,
      steps: [say('Add milk to my shopping list')],
      judge: [
        hasLine(SHOPPING, /^- \[ \] milk$/i),
        keepsLines(SHOPPING),
        onlyChanges(SHOPPING),
        completes(),
        asksNothing(),
      ],
      solution: [use(append(SHOPPING, '- [ ] milk'), finish('Added milk to your shopping list.'))],
      mistake: [use(append(TODO, '- [ ] milk'), finish('Added milk to your shopping list.'))],
    },
    {
      name: 'add three items at once',
      files: VAULT,
      steps: [say('We need eggs, flour and two lemons for the weekend')],
      judge: [
        hasLine(SHOPPING, /^- \[ \] eggs$/i),
        hasLine(SHOPPING, /^- \[ \] flour$/i),
        hasLine(SHOPPING, /^- \[ \] (2|two) lemons$/i),
        keepsLines(SHOPPING),
        onlyChanges(SHOPPING),
        completes(),
      ],
      solution: [
        use(
          append(SHOPPING, '- [ ] eggs\n- [ ] flour\n- [ ] 2 lemons'),
          finish('Added all three.'),
        ),
      ],
      mistake: [use(append(SHOPPING, '- [ ] eggs, flour, 2 lemons'), finish('Added all three.'))],
    },
    {
      name: 'do not add an item twice',
      files: VAULT,
      steps: [say('Put butter on the shopping list')],
      judge: [
        hasLine(SHOPPING, /butter/i),
        keepsLines(SHOPPING),
        onlyChanges(SHOPPING),
        says(/butter/i),
      ],
      solution: [
        use(['read_file', { path: SHOPPING }]),
        use(finish('Butter is already on your shopping list.')),
      ],
      mistake: [use(append(SHOPPING, '- [ ] butter'), finish('Added butter.'))],
    },
    {
      name: 'tick an item',
      files: VAULT,
      steps: [say('I bought the bread')],
      judge: [
        hasLine(SHOPPING, '- [x] bread'),
        keepsLines(SHOPPING, ['bread']),
        onlyChanges(SHOPPING),
        completes(),
      ],
      solution: [use(swap(SHOPPING, '- [ ] bread', '- [x] bread'), finish('Ticked off bread.'))],
      mistake: [use(swap(SHOPPING, '- [ ] bread\n', ''), finish('Removed bread.'))],
    },
    {
      name: 'tick two tasks in different sections',
      files: VAULT,
      steps: [say('I watered the seedlings and sharpened the shears, tick both off')],
      judge: [
        hasInSection(TODO, '## Today', '- [x] Water the seedlings'),
        hasInSection(TODO, '## Later', '- [x] Sharpen the shears'),
        keepsLines(TODO, ['seedlings', 'shears']),
        onlyChanges(TODO),
        completes(),
      ],
      solution: [
        use(
          edit(
            TODO,
            { old_text: '- [ ] Water', new_text: '- [x] Water' },
            { old_text: '- [ ] Sharpen', new_text: '- [x] Sharpen' },
          ),
          finish('Ticked off both.'),
        ),
      ],
      mistake: [use(swap(TODO, '- [ ] Water', '- [x] Water'), finish('Ticked off both.'))],
    },
    {
      name: 'add a task to a section',
      files: VAULT,
      steps: [say('Add "Buy potting soil" to my tasks for today')],
      judge: [
        hasInSection(TODO, '## Today', /^- \[ \] Buy potting soil$/im),
        keepsLines(TODO),
        onlyChanges(TODO),
        completes(),
      ],
      solution: [
        use(
          edit(TODO, { position: 'end-of:## Today', content: '- [ ] Buy potting soil' }),
          finish('Added it to Today.'),
        ),
      ],
      mistake: [use(append(TODO, '- [ ] Buy potting soil'), finish('Added it to Today.'))],
    },
    {
      name: 'move a task between sections',
      files: VAULT,
      steps: [say('Move the library card from Later to Today in my todos')],
      judge: [
        hasInSection(TODO, '## Today', '- [ ] Renew the library card'),
        hasLine(TODO, '- [ ] Renew the library card'),
        keepsLines(TODO, ['library']),
        onlyChanges(TODO),
      ],
      solution: [
        use(
          edit(
            TODO,
            { old_text: '- [ ] Renew the library card\n', new_text: '' },
            { position: 'end-of:## Today', content: '- [ ] Renew the library card' },
          ),
          finish('Moved it to Today.'),
        ),
      ],
      mistake: [
        use(
          edit(TODO, { position: 'end-of:## Today', content: '- [ ] Renew the library card' }),
          finish('Moved it to Today.'),
        ),
      ],
    },
    {
      name: 'remove an item',
      files: VAULT,
      steps: [say('Take the torch off the packing list, I will use my phone')],
      judge: [
        hasLine('Lists/Packing.md', /torch/, 0),
        keepsLines('Lists/Packing.md', ['torch']),
        onlyChanges('Lists/Packing.md'),
        needsNoApproval(),
      ],
      solution: [use(swap('Lists/Packing.md', '- torch\n', ''), finish('Removed the torch.'))],
      mistake: [
        use(
          swap('Lists/Packing.md', '- sleeping bag\n- torch\n', '- phone\n'),
          finish('Replaced the torch.'),
        ),
      ],
    },
    {
      name: 'start a list that does not exist',
      files: VAULT,
      steps: [say('Start a list of gift ideas in my lists folder, with a scarf for Nora on it')],
      judge: [createsNote('Lists/', /scarf/i, /Nora/), createsNotes(1), changesNoOldNote()],
      solution: [
        use(
          write('Lists/Gift ideas.md', '# Gift ideas\n\n- [ ] scarf for [[Nora Lind]]\n'),
          finish('Started the list "Gift ideas".'),
        ),
      ],
      mistake: [use(append(SHOPPING, '- [ ] scarf for Nora'), finish('Added a scarf.'))],
    },
  ],
};
