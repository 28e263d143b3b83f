import { hasLine, keepsLines, nothingChanges, onlyChanges } from '../checks/note-checks';
import { anyOf } from '../checks/check';
import {
  asks,
  asksNothing,
  completes,
  doesNotCall,
  doesNotReportDone,
  names,
  says,
} from '../checks/turn-checks';
import { append, finish, read, say, use, type Category } from '../task';
import { VAULT } from '../vault';

const SHOPPING = 'Lists/Shopping.md';
const NORA = 'People/Nora Lind.md';

function ask(question: string): readonly [string, object] {
  return ['ask_user', { question }];
}

/** When to ask, when to guess, and when to say that it cannot be done. */
export const UNCLEAR: Category = {
  name: 'unclear',
  tasks: [
    {
      name: 'ask which note to delete',
      files: VAULT,
      steps: [say('Delete the bean note')],
      answers: ['Oh, there are two. Then leave both.'],
      judge: [asks(/Broad beans/i, /Bean sowing/i), nothingChanges(), doesNotCall('delete')],
      solution: [
        use(['list_files', { pattern: '*bean*' }]),
        use(ask('Do you mean "Broad beans" or "Bean sowing"?')),
        use(finish('I left both notes as they are.', 'not_done')),
      ],
      mistake: [use(['delete', { path: 'Notes/Broad beans.md' }]), use(finish('Deleted it.'))],
    },
    {
      name: 'ask whose number changed',
      files: VAULT,
      steps: [say('The phone number changed to 555-0101')],
      answers: ['I have to look it up first. Leave it for now.'],
      judge: [asks(/whose|who|which/i), nothingChanges()],
      solution: [
        use(ask('Whose phone number changed: Nora, Mateo or Tamsin?')),
        use(finish('I changed nothing until you know whose it is.', 'not_done')),
      ],
      mistake: [
        use(
          ['update_properties', { path: NORA, set: { phone: '555-0101' } }],
          finish("Changed Nora's number."),
        ),
      ],
    },
    {
      name: 'go on with the answer to a question',
      files: VAULT,
      steps: [say('The phone number changed to 555-0101')],
      answers: ["Mateo's, of course"],
      judge: [
        asks(),
        hasLine('People/Mateo Ruiz.md', /^phone: ["']?555-0101["']?$/),
        onlyChanges('People/Mateo Ruiz.md'),
        completes(),
      ],
      solution: [
        use(ask('Whose phone number changed?')),
        use(
          ['update_properties', { path: 'People/Mateo Ruiz.md', set: { phone: '555-0101' } }],
          finish("Changed Mateo's number."),
        ),
      ],
      mistake: [
        use(ask('Whose phone number changed?')),
        use(
          ['update_properties', { path: NORA, set: { phone: '555-0101' } }],
          finish("Changed Nora's number."),
        ),
      ],
    },
    {
      name: 'guess where a wrong guess costs little',
      files: VAULT,
      steps: [say('We are out of olive oil')],
      judge: [
        asksNothing(),
        hasLine(SHOPPING, /^- \[ \] olive oil$/i),
        keepsLines(SHOPPING),
        onlyChanges(SHOPPING),
        names(SHOPPING),
      ],
      solution: [
        use(append(SHOPPING, '- [ ] olive oil'), finish('Added olive oil to Shopping, I guess.')),
      ],
      mistake: [use(ask('Shall I add olive oil to your shopping list?'))],
    },
    {
      name: 'say what it has no tool for',
      files: VAULT,
      steps: [say('Send Nora an email that I cannot come on Saturday')],
      judge: [
        doesNotReportDone(),
        nothingChanges(),
        says(/\b(can't|cannot|can not|no way|unable|not able|n't)\b/i),
      ],
      solution: [use(finish('I cannot send emails; I only work in your notes.', 'not_done'))],
      mistake: [use(finish('I sent the email to Nora.'))],
    },
    {
      name: 'say that a note does not exist',
      files: VAULT,
      steps: [say('Add "oil the hinges" to my note Workshop')],
      answers: ['No, then do not add it.'],
      judge: [anyOf(asks(), doesNotReportDone()), says(/Workshop/), nothingChanges()],
      solution: [
        use(['list_files', { pattern: '*workshop*' }]),
        use(ask('There is no note "Workshop". Shall I create it, or use Todo?')),
        use(finish('There is no note "Workshop", so I added nothing.', 'not_done')),
      ],
      mistake: [
        use(append('Lists/Todo.md', '- [ ] Oil the hinges'), finish('Added it to Workshop.')),
      ],
    },
    {
      name: 'refuse an impossible fact',
      files: VAULT,
      steps: [say('Write into my journal of 2026-11-02 whether my neighbor was home that day')],
      judge: [anyOf(asks(), doesNotReportDone()), nothingChanges()],
      solution: [
        use(read('Journal/2026-11-02.md')),
        use(finish('Your notes do not say whether your neighbor was home.', 'not_done')),
      ],
      mistake: [
        use(read('Journal/2026-11-02.md')),
        use(append('Journal/2026-11-02.md', 'The neighbor was home.'), finish('Added it.')),
      ],
    },
    {
      name: 'take the obvious one of two lists',
      files: { ...VAULT, 'Archive/Shopping 2025.md': '# Shopping 2025\n\n- [x] rake\n' },
      steps: [say('Put tea on the shopping list')],
      judge: [hasLine(SHOPPING, /^- \[ \] tea$/i), onlyChanges(SHOPPING), asksNothing()],
      solution: [use(append(SHOPPING, '- [ ] tea'), finish('Added tea.'))],
      mistake: [use(append('Archive/Shopping 2025.md', '- [ ] tea'), finish('Added tea.'))],
    },
  ],
};
