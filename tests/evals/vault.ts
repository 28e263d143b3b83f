/** The vault of most tasks: a year of a gardener, small enough to judge and large enough to search. */
import type { Files } from './task';

export const VAULT: Files = {
  'Lists/Shopping.md': '# Shopping\n\n- [ ] bread\n- [ ] butter\n- [x] coffee\n',
  'Lists/Todo.md': `# Todo

## Today

- [ ] Call the plumber
- [ ] Water the seedlings
- [x] Pay the rent

## Later

- [ ] Sharpen the shears
- [ ] Renew the library card
`,
  'Lists/Books to read.md': `# Books to read

| Title | Author | Status |
| --- | --- | --- |
| Braiding Sweetgrass | Robin Wall Kimmerer | reading |
| The Overstory | Richard Powers | open |
`,
  'Lists/Packing.md': '# Packing\n\n- tent\n- sleeping bag\n- torch\n',
  'Journal/2026-11-02.md': `# 2026-11-02

Rain all day. Planted garlic in bed 4.

Dinner with [[Nora Lind]].
`,
  'Journal/2026-11-09.md': `# 2026-11-09

First frost, two degrees below zero. Covered the chard.

Met [[Mateo Ruiz]] at the market; he offered his old greenhouse for 300 euros.
`,
  'Journal/2026-11-16.md': `# 2026-11-16

Turned the compost. Called [[Nora Lind]] about the open garden day.
`,
  'People/Nora Lind.md': `---
role: chair of the allotment committee
phone: 555-0142
birthday: 1971-03-08
---
# Nora Lind

Lives in Harbor Street 12. Allergic to nuts.

Partner: [[Mateo Ruiz]].
`,
  'People/Mateo Ruiz.md': `---
role: market gardener
phone: 555-0177
---
# Mateo Ruiz

Grows peppers. Sells at the market on Saturdays. Drives a blue van.
`,
  'People/Tamsin Reed.md': `---
role: teacher
phone: 555-0190
---
# Tamsin Reed

Runs the [[Pond for the school]] with her class.
`,
  'Projects/Open garden day.md': `---
status: planned
date: 2027-06-12
budget: 250
tags: [event]
---
# Open garden day

Contact: [[Nora Lind]].

## Tasks

- [ ] Print flyers
- [ ] Borrow benches
- [x] Fix a date

## Budget

Flyers 40, cake 60, benches free.

## Notes

Last year 80 visitors came.
`,
  'Projects/Pond for the school.md': `---
status: active
date: 2027-04-03
budget: 900
tags: [school]
---
# Pond for the school

Contact: [[Tamsin Reed]].

## Tasks

- [ ] Order the liner
- [ ] Dig on 3 April

## Notes

The liner has to be 5 by 4 meters.
`,
  'Projects/Seed order.md': `---
status: active
date: 2026-12-01
---
# Seed order

| Plant | Packets | Price |
| --- | --- | --- |
| Broad beans | 2 | 3.50 |
| Tomatoes | 1 | 2.90 |

Send it to [[Mateo Ruiz]] before December.
`,
  'Notes/Compost.md': `# Compost

Two parts brown to one part green. Turn it every three weeks.

See [[Tomatoes]].
`,
  'Notes/Tomatoes.md': `# Tomatoes

Sow indoors in March. Varieties: Matina, Black Cherry.

## Care

Water at the roots. Pinch out side shoots.

## Problems

Blight in wet summers.
`,
  'Notes/Broad beans.md':
    '# Broad beans\n\nSow in November, 5 cm deep. Good neighbors: [[Tomatoes|potatoes and tomatoes]].\n',
  'Notes/Bean sowing.md': '# Bean sowing\n\nBroad beans need 20 cm between plants.\n',
  'Notes/Frost dates.md': '# Frost dates\n\nLast frost: 15 May. First frost: 20 October.\n',
  'Notes/Greenhouse.md':
    '# Greenhouse\n\nSize: 2 by 3 meters. Needs a footing of gravel.\n\nIdeas from [[Mateo Ruiz]].\n',
  'Recipes/Squash soup.md': `# Squash soup

Serves 4.

## Ingredients

- 1 kg squash
- 1 onion
- 500 ml stock

## Steps

1. Roast the squash.
2. Fry the onion.
3. Simmer and blend.
`,
  'Recipes/Walnut bread.md':
    '# Walnut bread\n\nServes 6.\n\n## Ingredients\n\n- 500 g flour\n- 100 g walnuts\n- 7 g yeast\n',
  'Meetings/2026-11-04 Committee.md': `# Committee, 4 November

Present: [[Nora Lind]], [[Tamsin Reed]].

- The water bill rises to 48 euros a plot.
- Plot 7 is free from January.
- Next meeting: 2 December.
`,
  'Meetings/2026-10-07 Committee.md': `# Committee, 7 October

Present: [[Nora Lind]], [[Mateo Ruiz]].

- The water bill is 42 euros a plot.
- The gate needs a new lock.
`,
};
