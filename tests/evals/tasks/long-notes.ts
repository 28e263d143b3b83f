import {
  hasInSection,
  hasLine,
  keepsLines,
  nothingChanges,
  onlyChanges,
} from '../checks/note-checks';
import { completes, says, takesAtMost } from '../checks/turn-checks';
import { append, edit, finish, read, say, swap, use, type Category } from '../task';
import { VAULT } from '../vault';

const LOG = 'Notes/Weather log.md';
const INDEX = 'Notes/Plant index.md';
const PAGE = 'Notes/Long line.md';

const LINES = Array.from({ length: 4_000 }, (_, index) => {
  const number = index + 1;
  if (number === 3_217) return `- Day ${number}: hail, the glass of the cold frame broke`;
  return `- Day ${number}: ${7 + ((number * 13) % 20)} degrees, ${number % 3 === 0 ? 'rain' : 'dry'}`;
});

const PLANTS = Array.from(
  { length: 300 },
  (_, index) => `## Plant ${index + 1}\n\nSow in week ${(index % 50) + 1}.\n\n- [ ] check seeds\n`,
);

const FILES = {
  ...VAULT,
  [LOG]: `# Weather log\n\n${LINES.join('\n')}\n`,
  [INDEX]: `# Plant index\n\n${PLANTS.join('\n')}`,
  [PAGE]: `# Long line\n\n${'Roots grow slowly. '.repeat(1_500)}The key is under the third pot. ${'Leaves fall. '.repeat(1_500)}\n`,
};

export const LONG_NOTES: Category = {
  name: 'long-notes',
  tasks: [
    {
      name: 'find a line in a note of thousands',
      files: FILES,
      steps: [say('On which day did the glass of the cold frame break?')],
      judge: [says(/3[,.]?217/), nothingChanges(), completes(), takesAtMost(6)],
      solution: [
        use(['search_files', { pattern: 'glass of the cold frame' }]),
        use(finish('On day 3217, see [[Weather log]].')),
      ],
      mistake: [
        use(['read_file', { path: LOG, start_line: 1, end_line: 50 }]),
        use(finish('On day 17.')),
      ],
    },
    {
      name: 'change a line far down',
      files: FILES,
      steps: [say('In my weather log, day 2500 had 31 degrees; correct that')],
      judge: [
        hasLine(LOG, /^- Day 2500: 31 degrees, /),
        keepsLines(LOG, [/^- Day 2500:/]),
        onlyChanges(LOG),
        completes(),
      ],
      solution: [
        use(['search_files', { pattern: 'Day 2500:', context_lines: 0 }]),
        use(
          swap(LOG, LINES[2_499] ?? '', (LINES[2_499] ?? '').replace(/\d+ degrees/, '31 degrees')),
          finish('Corrected day 2500.'),
        ),
      ],
      mistake: [
        use(['search_files', { pattern: 'Day 250:', context_lines: 0 }]),
        use(
          swap(LOG, `${LINES[249] ?? ''}\n`, '- Day 250: 31 degrees, dry\n'),
          finish('Corrected it.'),
        ),
      ],
    },
    {
      name: 'append to a note that was not read',
      files: FILES,
      steps: [say('Add to the weather log: Day 4001: fog')],
      judge: [hasLine(LOG, /^- Day 4001: fog$/), keepsLines(LOG), onlyChanges(LOG), takesAtMost(4)],
      solution: [use(append(LOG, '- Day 4001: fog'), finish('Added day 4001.'))],
      mistake: [
        use(edit(LOG, { position: 'start', content: 'Day 4001: fog' }), finish('Added day 4001.')),
      ],
    },
    {
      name: 'tick one of three hundred equal tasks',
      files: FILES,
      steps: [say('Tick the seed check of plant 212 in the plant index')],
      judge: [
        hasInSection(INDEX, '## Plant 212', '- [x] check seeds'),
        hasLine(INDEX, '- [x] check seeds'),
        hasLine(INDEX, '- [ ] check seeds', 299),
        onlyChanges(INDEX),
      ],
      solution: [
        use(['search_files', { pattern: '^## Plant 212$', context_lines: 5 }]),
        use(
          swap(
            INDEX,
            '## Plant 212\n\nSow in week 12.\n\n- [ ] check seeds',
            '## Plant 212\n\nSow in week 12.\n\n- [x] check seeds',
          ),
          finish('Ticked it.'),
        ),
      ],
      mistake: [
        use(
          swap(
            INDEX,
            '## Plant 21\n\nSow in week 21.\n\n- [ ] check seeds',
            '## Plant 21\n\nSow in week 21.\n\n- [x] check seeds',
          ),
          finish('Ticked it.'),
        ),
      ],
    },
    {
      name: 'find a sentence in a very long line',
      files: FILES,
      steps: [say('Where is the key, according to my notes?')],
      judge: [says(/third pot/i), nothingChanges(), completes()],
      solution: [
        use(['search_files', { pattern: 'The key is under' }]),
        use(finish('Under the third pot, see [[Long line]].')),
      ],
      mistake: [use(read(PAGE)), use(finish('Your notes do not say.', 'not_done'))],
    },
  ],
};
