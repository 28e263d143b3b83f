import {
  changesNoOldNote,
  contains,
  exists,
  hasLine,
  keepsLines,
  lacks,
  onlyChanges,
} from '../checks/note-checks';
import { asksNothing, completes, says } from '../checks/turn-checks';
import { append, finish, say, speak, swap, use, write, type Category } from '../task';
import { VAULT } from '../vault';

/** A day of the local time zone as YYYY-MM-DD. */
function day(offset: number): string {
  const today = new Date();
  return new Date(
    today.getFullYear(),
    today.getMonth(),
    today.getDate() + offset,
  ).toLocaleDateString('sv');
}

/** Days until the next week's Tuesday. */
const TO_TUESDAY = 8 - ((new Date().getDay() + 6) % 7);
const TODAY = day(0);
const TUESDAY = day(TO_TUESDAY);
const DAILY = `Daily/${TODAY}.md`;
const PLANTS = 'Lists/Plants.md';
const TODO = 'Lists/Todo.md';
const HOUSE = 'Lists/House.md';

const WITH_DAILY_NOTES = {
  ...VAULT,
  '.obsidian/daily-notes.json': '{"folder":"Daily","template":"Templates/Day"}',
  'Templates/Day.md': '## Weather\n\n## Done\n',
};

/** Requests about today and other days. */
export const DAYS: Category = {
  name: 'days',
  tasks: [
    {
      name: "today's note where Obsidian makes it",
      files: WITH_DAILY_NOTES,
      steps: [speak('put in my daily note that the first snow fell')],
      judge: [
        exists(DAILY),
        contains(DAILY, /snow/i, '## Weather'),
        changesNoOldNote(),
        asksNothing(),
        completes(),
      ],
      solution: [
        use(['apply_template', { template: 'Templates/Day.md', path: DAILY }]),
        use(
          [
            'edit_file',
            { path: DAILY, edits: [{ position: 'end-of:## Weather', content: 'First snow.' }] },
          ],
          finish("Noted the first snow in today's note."),
        ),
      ],
      mistake: [
        use(
          write(`Journal/${TODAY}.md`, `# ${TODAY}\n\nFirst snow.\n`),
          finish("Noted the first snow in today's note."),
        ),
      ],
    },
    {
      name: 'a weekday of the next week',
      files: VAULT,
      steps: [
        say('Add "Fetch the liner" to my later tasks, with the date of next week\'s Tuesday'),
      ],
      judge: [
        hasLine(TODO, new RegExp(`^- \\[ \\] .*liner.*${TUESDAY}`, 'i')),
        keepsLines(TODO),
        onlyChanges(TODO),
        completes(),
      ],
      solution: [use(append(TODO, `- [ ] Fetch the liner 📅 ${TUESDAY}`), finish('Added it.'))],
      mistake: [
        use(append(TODO, `- [ ] Fetch the liner 📅 ${day(TO_TUESDAY - 7)}`), finish('Added it.')),
      ],
    },
    {
      name: 'a task that comes back every week',
      files: {
        ...VAULT,
        [PLANTS]: `# Plants\n\n- [ ] Water the ficus 🔁 every week 📅 ${TODAY}\n`,
      },
      steps: [say('I watered the ficus, check it off')],
      judge: [
        hasLine(PLANTS, new RegExp(`^- \\[ \\] Water the ficus 🔁 every week 📅 ${day(7)}$`)),
        lacks(PLANTS, `- [ ] Water the ficus 🔁 every week 📅 ${TODAY}`),
        onlyChanges(PLANTS),
        asksNothing(),
        completes(),
      ],
      solution: [
        use(
          ['update_tasks', { path: PLANTS, tasks: ['Water the ficus'], status: 'done' }],
          finish('Checked it off; the next one is due in a week.'),
        ),
      ],
      mistake: [
        use(swap(PLANTS, '- [ ] Water the ficus', '- [x] Water the ficus'), finish('Checked off.')),
      ],
    },
    {
      name: 'a task moved to a weekday, in the format of its note',
      files: {
        ...VAULT,
        [HOUSE]: `# House\n\n- [ ] sweep the chimney [due:: ${TODAY}] ^chimney\n- [ ] order wood\n`,
      },
      steps: [say("Move the chimney to next week's Tuesday, and the wood to the day before")],
      judge: [
        hasLine(
          HOUSE,
          new RegExp(`^- \\[ \\] sweep the chimney \\[due:: ${TUESDAY}\\] \\^chimney$`),
        ),
        hasLine(HOUSE, new RegExp(`^- \\[ \\] order wood +\\[due:: ${day(TO_TUESDAY - 1)}\\]$`)),
        onlyChanges(HOUSE),
        completes(),
      ],
      solution: [
        use(
          ['update_tasks', { path: HOUSE, tasks: ['chimney'], due: TUESDAY }],
          ['update_tasks', { path: HOUSE, tasks: ['wood'], due: day(TO_TUESDAY - 1) }],
          finish('Moved both.'),
        ),
      ],
      mistake: [
        use(
          ['update_tasks', { path: HOUSE, tasks: ['chimney', 'wood'], due: TUESDAY }],
          finish('Moved both.'),
        ),
      ],
    },
    {
      name: 'a reminder, which does not ring',
      files: VAULT,
      steps: [speak('remind me tomorrow at six to call Ann')],
      judge: [
        hasLine(TODO, new RegExp(`^- \\[ \\] .*Ann.*${day(1)}`, 'i')),
        keepsLines(TODO),
        onlyChanges(TODO),
        says(/\b(ring|alarm|alert|notif|buzz|beep|ping|sound)/i),
        completes(),
      ],
      solution: [
        use(
          ['update_tasks', { path: TODO, tasks: ['Call Ann at 6'], status: 'new', due: day(1) }],
          finish('Added "Call Ann at 6" to your to-do list for tomorrow. Nothing will ring.'),
        ),
      ],
      mistake: [
        use(append(TODO, '- [ ] Call Ann at 6'), finish('I will remind you tomorrow at six.')),
      ],
    },
  ],
};
