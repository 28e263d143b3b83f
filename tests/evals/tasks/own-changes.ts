import { equals, keeps, onlyChanges } from '../checks/note-checks';
import { calls, isUndone, says, takesAtMost } from '../checks/turn-checks';
import {
  append,
  edit,
  finish,
  idOf,
  say,
  speak,
  swap,
  typeInto,
  use,
  type Category,
} from '../task';
import { VAULT } from '../vault';

const SHOPPING = 'Lists/Shopping.md';
const PACKING = 'Lists/Packing.md';
const NEW_CHAT = { do: 'new-chat' } as const;
const TODAY = ['get_changes', { since: 'today' }] as const;

const undo = (...of: readonly string[]) => ['undo_changes', { ids: of.map(idOf) }] as const;

/** What the agent did in earlier chats, and taking it back. */
export const OWN_CHANGES: Category = {
  name: 'own changes',
  tasks: [
    {
      name: 'say what was done today',
      files: VAULT,
      steps: [
        say('Add oat milk to my shopping list'),
        say('Add a towel to the packing list'),
        NEW_CHAT,
        speak('what did you do today'),
      ],
      judge: [
        says(/shopping/i, /packing/i),
        calls('get_changes'),
        onlyChanges(SHOPPING, PACKING),
        takesAtMost(5),
      ],
      solution: [
        use(append(SHOPPING, '- [ ] oat milk'), finish('Added oat milk.')),
        use(append(PACKING, '- towel'), finish('Added a towel.')),
        use(TODAY),
        use(finish('I added a line to the shopping list and one to the packing list.')),
      ],
      mistake: [
        use(append(SHOPPING, '- [ ] oat milk'), finish('Added oat milk.')),
        use(append(PACKING, '- towel'), finish('Added a towel.')),
        use(finish('I do not know what I did in other conversations.')),
      ],
    },
    {
      name: 'put a note back that was changed in another chat',
      files: VAULT,
      steps: [
        say('Take the sleeping bag off the packing list'),
        NEW_CHAT,
        say('Put the packing list back as it was'),
      ],
      judge: [keeps(PACKING), isUndone(PACKING), calls('undo_changes')],
      solution: [
        use(swap(PACKING, '- sleeping bag\n', ''), finish('Removed the sleeping bag.')),
        use(['get_changes', { path: PACKING }]),
        use(undo(PACKING), finish('The packing list is as it was.')),
      ],
      mistake: [
        use(swap(PACKING, '- sleeping bag\n', ''), finish('Removed the sleeping bag.')),
        use(append(PACKING, '- sleeping bag'), finish('The packing list is as it was.')),
      ],
    },
    {
      name: 'undo everything of today but what the user typed',
      files: VAULT,
      steps: [
        say('Add oat milk to my shopping list'),
        say('Take the torch off the packing list'),
        typeInto(SHOPPING, '# Shopping', '# Groceries'),
        NEW_CHAT,
        say('Undo everything you did today'),
      ],
      judge: [
        equals(SHOPPING, '# Groceries\n\n- [ ] bread\n- [ ] butter\n- [x] coffee\n'),
        keeps(PACKING),
        isUndone(SHOPPING),
        isUndone(PACKING),
      ],
      solution: [
        use(append(SHOPPING, '- [ ] oat milk'), finish('Added oat milk.')),
        use(swap(PACKING, '- torch\n', ''), finish('Removed the torch.')),
        use(TODAY),
        use(undo(SHOPPING, PACKING), finish('Undid both changes of today.')),
      ],
      mistake: [
        use(append(SHOPPING, '- [ ] oat milk'), finish('Added oat milk.')),
        use(swap(PACKING, '- torch\n', ''), finish('Removed the torch.')),
        use(edit(SHOPPING, { old_text: '- [ ] oat milk\n', new_text: '' }), finish('Undone.')),
      ],
    },
  ],
};
