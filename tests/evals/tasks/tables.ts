import { hasRow, keepsLines, lacks, nothingChanges, onlyChanges } from '../checks/note-checks';
import { completes, says } from '../checks/turn-checks';
import { append, edit, finish, read, say, swap, use, type Category } from '../task';
import { VAULT } from '../vault';

const SEEDS = 'Projects/Seed order.md';
const BOOKS = 'Lists/Books to read.md';
const TOMATO_ROW = '| Tomatoes | 1 | 2.90 |';

export const TABLES: Category = {
  name: 'tables',
  tasks: [
    {
      name: 'add a row',
      files: VAULT,
      steps: [say('Add 3 packets of carrots at 1.80 to the seed order')],
      judge: [
        hasRow(SEEDS, /^Carrots$/i, '3', /^1\.80?$/),
        keepsLines(SEEDS),
        onlyChanges(SEEDS),
        completes(),
      ],
      solution: [
        use(
          swap(SEEDS, TOMATO_ROW, `${TOMATO_ROW}\n| Carrots | 3 | 1.80 |`),
          finish('Added carrots.'),
        ),
      ],
      mistake: [use(append(SEEDS, '| Carrots | 3 packets at 1.80 |'), finish('Added carrots.'))],
    },
    {
      name: 'change a cell',
      files: VAULT,
      steps: [say('I finished The Overstory, update my book list')],
      judge: [
        hasRow(BOOKS, 'The Overstory', 'Richard Powers', /done|read|finished/i),
        hasRow(BOOKS, 'Braiding Sweetgrass', 'Robin Wall Kimmerer', 'reading'),
        keepsLines(BOOKS, ['Overstory']),
        onlyChanges(BOOKS),
      ],
      solution: [
        use(swap(BOOKS, 'Richard Powers | open', 'Richard Powers | done'), finish('Updated.')),
      ],
      mistake: [use(swap(BOOKS, 'Kimmerer | reading', 'Kimmerer | done'), finish('Updated.'))],
    },
    {
      name: 'compute from a table without changing it',
      files: VAULT,
      steps: [say('What will the whole seed order cost?')],
      judge: [says(/9[.,]90?/), nothingChanges(), completes()],
      solution: [use(read(SEEDS)), use(finish('9.90: two times 3.50, and 2.90.'))],
      mistake: [use(read(SEEDS)), use(finish('6.40: 3.50 and 2.90.'))],
    },
    {
      name: 'delete a row',
      files: VAULT,
      steps: [say('No tomatoes this year, take them out of the seed order')],
      judge: [
        lacks(SEEDS, 'Tomatoes'),
        hasRow(SEEDS, 'Broad beans', '2', '3.50'),
        keepsLines(SEEDS, ['Tomatoes']),
        onlyChanges(SEEDS),
      ],
      solution: [use(swap(SEEDS, `${TOMATO_ROW}\n`, ''), finish('Took them out.'))],
      mistake: [use(swap(SEEDS, TOMATO_ROW, '| Tomatoes | 0 | 2.90 |'), finish('Took them out.'))],
    },
    {
      name: 'add a column',
      files: VAULT,
      steps: [say('Add a column "Total" to the seed order, packets times price')],
      judge: [
        hasRow(SEEDS, 'Plant', 'Packets', 'Price', 'Total'),
        hasRow(SEEDS, 'Broad beans', '2', '3.50', /^7(\.00?)?$/),
        hasRow(SEEDS, 'Tomatoes', '1', '2.90', /^2\.90?$/),
        onlyChanges(SEEDS),
      ],
      solution: [
        use(read(SEEDS)),
        use(
          edit(SEEDS, {
            position: 'replace:7-10',
            content:
              '| Plant | Packets | Price | Total |\n| --- | --- | --- | --- |\n| Broad beans | 2 | 3.50 | 7.00 |\n| Tomatoes | 1 | 2.90 | 2.90 |',
          }),
          finish('Added the column.'),
        ),
      ],
      mistake: [
        use(
          swap(SEEDS, '| Plant | Packets | Price |', '| Plant | Packets | Price | Total |'),
          finish('Added the column.'),
        ),
      ],
    },
  ],
};
