import type { Check, Wanted } from '../checks/check';
import {
  hasLine,
  hasProperty,
  keepsLines,
  nothingChanges,
  lacks,
  onlyChanges,
  someNoteGains,
} from '../checks/note-checks';
import { asksNothing, completes, doesNotSay, isShort, says } from '../checks/turn-checks';
import {
  append,
  edit,
  finish,
  read,
  speak,
  speakAgain,
  swap,
  use,
  write,
  type Category,
  type Task,
} from '../task';
import { VAULT } from '../vault';

const SHOPPING = 'Lists/Shopping.md';
const TODO = 'Lists/Todo.md';
/** What a notification shows, with room for a second sentence. */
const MAX_SPOKEN_CHARS = 300;
/** What a notification shows. */
const MAX_HEARD_CHARS = 240;

const TICK_BOTH = edit(
  TODO,
  { old_text: '- [ ] Call the plumber', new_text: '- [x] Call the plumber' },
  { old_text: '- [ ] Water the seedlings', new_text: '- [x] Water the seedlings' },
);

function adds(name: string, words: string, item: RegExp, right: string, wrong: string): Task {
  return {
    name,
    files: VAULT,
    steps: [speak(words)],
    judge: [
      hasLine(SHOPPING, item),
      lacks(SHOPPING, /apples|flower|\b(uh|um|at|like)\b/i),
      keepsLines(SHOPPING),
      onlyChanges(SHOPPING),
      asksNothing(),
      isShort(MAX_SPOKEN_CHARS),
    ],
    solution: [use(append(SHOPPING, `- [ ] ${right}`), finish(`Added ${right}.`))],
    mistake: [use(append(SHOPPING, `- [ ] ${wrong}`), finish(`Added ${wrong}.`))],
  };
}

function tells(
  name: string,
  words: string,
  wanted: readonly Wanted[],
  note: string,
  right: string,
  wrong: string,
): Task {
  const short: Check = isShort(MAX_SPOKEN_CHARS);
  return {
    name,
    files: VAULT,
    steps: [speak(words)],
    judge: [says(...wanted), nothingChanges(), asksNothing(), short, completes()],
    solution: [use(read(note)), use(finish(right))],
    mistake: [use(read(note)), use(finish(wrong))],
  };
}

/** Spoken requests, misheard here and there. */
export const SPOKEN: Category = {
  name: 'spoken',
  tasks: [
    adds(
      'a word that sounds like another',
      'put flower and yeast on my shopping list so i can bake bread',
      /flour/i,
      'flour and yeast',
      'flower and yeast',
    ),
    adds(
      'a slip in the verb',
      'at oat milk to the shopping list',
      /^- \[ \] oat milk$/i,
      'oat milk',
      'at oat milk',
    ),
    adds(
      'a correction in the middle',
      'add apples no wait pears to the shopping list',
      /^- \[ \] pears$/i,
      'pears',
      'apples no wait pears',
    ),
    adds(
      'filler words',
      'um so yeah could you like uh put toothpaste on the the shopping list please',
      /^- \[ \] toothpaste$/i,
      'toothpaste',
      'uh toothpaste',
    ),
    tells(
      'a misheard name',
      "what's norah lynd's phone number",
      ['555-0142'],
      'People/Nora Lind.md',
      '555-0142 for Nora Lind.',
      '555-0177.',
    ),
    tells(
      'a short answer to a wide question',
      "what's on my to do list for today",
      [/plumber/i, /seedling/i],
      TODO,
      'Call the plumber and water the seedlings.',
      `Your list "Todo" has two sections, Today and Later. In Today there are three tasks: the first is to call the plumber, which is open; the second is to water the seedlings, which is open as well; the third is to pay the rent, which is done. In Later there are two more tasks: sharpen the shears and renew the library card.`,
    ),
    {
      name: 'a task that is done, in other words',
      files: VAULT,
      steps: [speak('i called the plummer just now so check that off')],
      judge: [
        hasLine(TODO, '- [x] Call the plumber'),
        keepsLines(TODO, ['plumber']),
        onlyChanges(TODO),
        asksNothing(),
        isShort(MAX_SPOKEN_CHARS),
      ],
      solution: [
        use(swap(TODO, '- [ ] Call the plumber', '- [x] Call the plumber'), finish('Ticked off.')),
      ],
      mistake: [use(append(TODO, '- [x] Called the plummer'), finish('Ticked off.'))],
    },
    {
      name: 'a thought to keep',
      files: VAULT,
      steps: [speak('note to self the gate code of the allotment is now four four seven one')],
      judge: [
        someNoteGains(/4471|4 4 7 1|four four seven one/i),
        asksNothing(),
        isShort(MAX_SPOKEN_CHARS),
        completes(),
      ],
      solution: [
        use(
          write('Notes/Allotment gate.md', '# Allotment gate\n\nThe code is 4471.\n'),
          finish('Saved the gate code 4471 in a new note.'),
        ),
      ],
      mistake: [
        use(write('Notes/Allotment gate.md', '# Allotment gate\n'), finish('Saved the gate code.')),
      ],
    },
    {
      name: 'a correction in the last step',
      files: VAULT,
      steps: [
        speakAgain(
          'put oat milk and rice on the shopping list',
          'oh wait not the rice there is plenty',
        ),
      ],
      judge: [
        hasLine(SHOPPING, /oat milk/i),
        lacks(SHOPPING, /rice/i),
        keepsLines(SHOPPING),
        onlyChanges(SHOPPING),
        asksNothing(),
        isShort(MAX_HEARD_CHARS),
        completes(),
      ],
      solution: [
        use(append(SHOPPING, '- [ ] oat milk\n- [ ] rice'), finish('Added oat milk and rice.')),
        use(
          edit(SHOPPING, { old_text: '- [ ] rice\n', new_text: '' }),
          finish('Added oat milk, and no rice.'),
        ),
      ],
      mistake: [
        use(append(SHOPPING, '- [ ] oat milk\n- [ ] rice'), finish('Added oat milk and rice.')),
        use(finish('Added oat milk and rice.')),
      ],
    },
    {
      name: 'a reference to the chat before',
      files: VAULT,
      steps: [
        speak('put one kilo of flour on the shopping list'),
        { do: 'new-chat' },
        speak('make that two kilos'),
      ],
      judge: [
        hasLine(SHOPPING, /^- \[ \] (?=.*flour)(?=.*(?:\b2\b|2 ?k|two))/i),
        lacks(SHOPPING, /\b(?:1|one|a) ?k(?:g|ilo)/i),
        keepsLines(SHOPPING),
        onlyChanges(SHOPPING),
        asksNothing(),
        isShort(MAX_HEARD_CHARS),
        completes(),
      ],
      solution: [
        use(append(SHOPPING, '- [ ] 1 kg of flour'), finish('Added a kilo of flour.')),
        use(['get_conversation', { query: 'flour' }]),
        use(
          swap(SHOPPING, '- [ ] 1 kg of flour', '- [ ] 2 kg of flour'),
          finish('Two kilos of flour are on the shopping list now.'),
        ),
      ],
      mistake: [
        use(append(SHOPPING, '- [ ] 1 kg of flour'), finish('Added a kilo of flour.')),
        use(append(SHOPPING, '- [ ] 2 kg of flour'), finish('Added two kilos of flour.')),
      ],
    },
    {
      name: 'an answer for ears',
      files: VAULT,
      steps: [
        speak('the plumber and the seedlings are done so what is left for today and for later'),
      ],
      judge: [
        hasLine(TODO, '- [x] Call the plumber'),
        hasLine(TODO, '- [x] Water the seedlings'),
        keepsLines(TODO, ['plumber', 'seedlings']),
        onlyChanges(TODO),
        says(/shears/i, /library/i),
        doesNotSay(/[+−]\d/, /\.md\b/, /[`*[\]]/),
        isShort(MAX_HEARD_CHARS),
        completes(),
      ],
      solution: [
        use(read(TODO)),
        use(
          TICK_BOTH,
          finish(
            'Nothing is left for today. Later: sharpen the shears and renew the library card.',
          ),
        ),
      ],
      mistake: [
        use(read(TODO)),
        use(
          TICK_BOTH,
          finish(
            'Changed Lists/Todo.md (+2 −2). Still open: "- [ ] Sharpen the shears", "- [ ] Renew the library card".',
          ),
        ),
      ],
    },
    {
      name: 'numbers as words',
      files: VAULT,
      steps: [speak('the pond budget went up to one thousand one hundred')],
      judge: [
        hasProperty('Projects/Pond for the school.md', 'budget', 1100),
        onlyChanges('Projects/Pond for the school.md'),
        isShort(MAX_SPOKEN_CHARS),
      ],
      solution: [
        use(
          ['update_properties', { path: 'Projects/Pond for the school.md', set: { budget: 1100 } }],
          finish('The budget of the pond is now 1,100.'),
        ),
      ],
      mistake: [
        use(
          ['update_properties', { path: 'Projects/Pond for the school.md', set: { budget: 1000 } }],
          finish('The budget of the pond is now 1,000.'),
        ),
      ],
    },
  ],
};
