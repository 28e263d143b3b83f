import { hasLine, keepsLines, nothingChanges, onlyChanges } from '../checks/note-checks';
import { anyOf } from '../checks/check';
import { asks, calls, completes, doesNotReportDone, says } from '../checks/turn-checks';
import { append, finish, read, say, use, type Category } from '../task';
import { VAULT } from '../vault';

const SHOPPING = 'Lists/Shopping.md';
const TODO = 'Lists/Todo.md';
const PACKING = 'Lists/Packing.md';
const TOMATOES = 'Notes/Tomatoes.md';

/** Questions about the vault itself, and what is shown to the user. */
export const OVERVIEW: Category = {
  name: 'overview',
  tasks: [
    {
      name: 'open a note',
      files: VAULT,
      steps: [say('Open my packing list')],
      judge: [calls('open_note'), nothingChanges(), completes()],
      solution: [use(['open_note', { path: PACKING }], finish('Opened your packing list.'))],
      mistake: [use(read(PACKING)), use(finish('Your packing list has three things.'))],
    },
    {
      name: 'list the tags',
      files: VAULT,
      steps: [say('Which tags do I use?')],
      judge: [says(/\bevent\b/i, /\bschool\b/i), nothingChanges(), completes()],
      solution: [use(['list_tags', {}]), use(finish('You use #event and #school.'))],
      mistake: [use(finish('You use no tags.'))],
    },
    {
      name: 'count the notes of each folder',
      files: VAULT,
      steps: [say('How many notes are in each folder? Numbers in digits.')],
      judge: [
        says(/Notes\W*\D{0,20}6/i, /Journal\W*\D{0,20}3/i, /Recipes\W*\D{0,20}2/i),
        nothingChanges(),
        completes(),
      ],
      solution: [
        use(['explore_structure', { max_depth: 1 }]),
        use(
          finish('Journal 3, Lists 4, Meetings 2, Notes 6, People 3, Projects 3, Recipes 2 notes.'),
        ),
      ],
      mistake: [use(finish('Every folder has 3 notes.'))],
    },
    {
      name: 'say what links to a note',
      files: VAULT,
      steps: [say('Which notes link to "Tomatoes"?')],
      judge: [says(/compost/i, /broad beans/i), nothingChanges(), completes()],
      solution: [
        use(['get_links', { path: TOMATOES, direction: 'in' }]),
        use(finish('Compost and Broad beans link to it.')),
      ],
      mistake: [use(finish('Only Compost links to it.'))],
    },
    {
      name: 'name the sections of a note',
      files: VAULT,
      steps: [say('Which sections does my note about the garden day have?')],
      judge: [says(/tasks/i, /budget/i, /notes/i), nothingChanges(), completes()],
      solution: [
        use(['get_file_info', { path: 'Projects/Open garden day.md' }]),
        use(finish('It has the sections Tasks, Budget and Notes.')),
      ],
      mistake: [use(finish('It has the sections Tasks and Costs.'))],
    },
    {
      name: 'say that no note is open',
      files: VAULT,
      steps: [say('Add "Call the bank" to the note that I have open')],
      judge: [anyOf(asks(), doesNotReportDone()), nothingChanges()],
      solution: [
        use(['get_context', {}]),
        use(finish('No note is open, so I added nothing.', 'not_done')),
      ],
      mistake: [use(append(TODO, '- [ ] Call the bank'), finish('Added it to the open note.'))],
    },
    {
      name: 'plan a task of several notes',
      files: VAULT,
      steps: [
        say('Put tea on the shopping list, "call the bank" on my todo list, and pack a towel'),
      ],
      judge: [
        hasLine(SHOPPING, /^- \[ \] tea$/i),
        hasLine(TODO, /^- \[ \] call the bank$/i),
        hasLine(PACKING, /^- (?:a )?towel$/i),
        ...[SHOPPING, TODO, PACKING].map((path) => keepsLines(path)),
        onlyChanges(SHOPPING, TODO, PACKING),
        completes(),
      ],
      solution: [
        use(
          [
            'plan',
            {
              steps: [
                { text: 'Tea', state: 'doing' },
                { text: 'Call the bank', state: 'open' },
                { text: 'Towel', state: 'open' },
              ],
            },
          ],
          append(SHOPPING, '- [ ] tea'),
          append(TODO, '- [ ] Call the bank'),
          append(PACKING, '- towel'),
          finish('Added a line to each of the three lists.'),
        ),
      ],
      mistake: [
        use(append(SHOPPING, '- [ ] tea\n- [ ] call the bank\n- [ ] towel'), finish('Added all.')),
      ],
    },
    {
      name: 'say something at once, and go on',
      files: VAULT,
      steps: [
        say('Tell me Tamsin’s number at once, then put "Call Tamsin" on my todo list for later'),
      ],
      judge: [
        calls('send_message'),
        hasLine(TODO, /^- \[ \] call tamsin$/i),
        keepsLines(TODO),
        onlyChanges(TODO),
        completes(),
      ],
      solution: [
        use(['get_properties', { paths: ['People/Tamsin Reed.md'] }]),
        use(
          ['send_message', { message: 'Tamsin’s number is 555-0190.' }],
          append(TODO, '- [ ] Call Tamsin'),
          finish('Her number is 555-0190. "Call Tamsin" is on your todo list.'),
        ),
      ],
      mistake: [use(append(TODO, '- [ ] Call Tamsin'), finish('It is on your todo list.'))],
    },
    {
      name: 'end the conversation',
      files: VAULT,
      steps: [say('Thanks, we are done. End this chat, please.')],
      judge: [calls('end_conversation'), nothingChanges(), completes()],
      solution: [use(['end_conversation', {}], finish('See you.'))],
      mistake: [use(finish('See you.'))],
    },
  ],
};
