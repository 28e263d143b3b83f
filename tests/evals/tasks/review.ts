import { contains, hasLine, keeps, lacks, onlyChanges } from '../checks/note-checks';
import { completes, doesNotSay, leavesPending, says } from '../checks/turn-checks';
import {
  append,
  edit,
  finish,
  read,
  say,
  speak,
  swap,
  use,
  write,
  type Category,
  type Step,
} from '../task';
import { VAULT } from '../vault';

const TODO = 'Lists/Todo.md';
const SHOPPING = 'Lists/Shopping.md';
const REVIEW = { panelMode: 'review' };

function accept(which: number | 'all'): Step {
  return { do: 'accept', edit: which };
}

function reject(which: number | 'all'): Step {
  return { do: 'reject', edit: which };
}

/** Edits that the user reviews, and what the agent does after it. */
export const REVIEW_TASKS: Category = {
  name: 'review',
  tasks: [
    {
      name: 'report a proposal as a proposal',
      files: VAULT,
      settings: REVIEW,
      steps: [say('Add milk to my shopping list')],
      judge: [
        leavesPending(SHOPPING),
        contains(SHOPPING, /milk/i),
        says(/propos|suggest|review/i),
        doesNotSay(/\bI (have )?added\b/i),
        onlyChanges(SHOPPING),
      ],
      solution: [
        use(append(SHOPPING, '- [ ] milk')),
        use(finish('I proposed adding milk to your shopping list.')),
      ],
      mistake: [
        use(append(SHOPPING, '- [ ] milk')),
        use(finish('I added milk to your shopping list.')),
      ],
    },
    {
      name: 'go on after a partial review',
      files: VAULT,
      settings: REVIEW,
      steps: [
        say('On my todo list, mark the plumber as called, and the shears as sharpened'),
        accept(0),
        reject(0),
        say('Now also mark the library card as renewed'),
        accept('all'),
      ],
      judge: [
        hasLine(TODO, '- [x] Call the plumber'),
        hasLine(TODO, '- [ ] Sharpen the shears'),
        hasLine(TODO, '- [x] Renew the library card'),
        leavesPending(),
        onlyChanges(TODO),
      ],
      solution: [
        use(
          edit(
            TODO,
            { old_text: '- [ ] Call', new_text: '- [x] Call' },
            { old_text: '- [ ] Sharpen', new_text: '- [x] Sharpen' },
          ),
        ),
        use(finish('I proposed both.')),
        use(swap(TODO, '- [ ] Renew', '- [x] Renew')),
        use(finish('I proposed ticking off the library card.')),
      ],
      mistake: [
        use(
          edit(
            TODO,
            { old_text: '- [ ] Call', new_text: '- [x] Call' },
            { old_text: '- [ ] Sharpen', new_text: '- [x] Sharpen' },
          ),
        ),
        use(finish('I proposed both.')),
        use(
          edit(
            TODO,
            { old_text: '- [ ] Renew', new_text: '- [x] Renew' },
            { old_text: '- [ ] Sharpen', new_text: '- [x] Sharpen' },
          ),
        ),
        use(finish('I proposed the rest.')),
      ],
    },
    {
      name: 'build on a pending edit',
      files: VAULT,
      settings: REVIEW,
      steps: [say('Add milk to my shopping list'), say('Make that oat milk'), accept('all')],
      judge: [
        hasLine(SHOPPING, /^- \[ \] oat milk$/i),
        hasLine(SHOPPING, /milk/i),
        leavesPending(),
        onlyChanges(SHOPPING),
      ],
      solution: [
        use(append(SHOPPING, '- [ ] milk')),
        use(finish('I proposed adding milk.')),
        use(swap(SHOPPING, '- [ ] milk', '- [ ] oat milk')),
        use(finish('The proposal is now oat milk.')),
      ],
      mistake: [
        use(append(SHOPPING, '- [ ] milk')),
        use(finish('I proposed adding milk.')),
        use(append(SHOPPING, '- [ ] oat milk')),
        use(finish('I proposed oat milk.')),
      ],
    },
    {
      name: 'report an addition beside a pending edit as one that waits',
      files: VAULT,
      settings: REVIEW,
      steps: [say('Add milk to my shopping list'), speak('add rice to my shopping list')],
      judge: [
        leavesPending(SHOPPING),
        contains(SHOPPING, /milk/i, /rice/i),
        says(/propos|wait|review/i),
        doesNotSay(/\bI (have )?added\b/i, /^added/i),
        onlyChanges(SHOPPING),
      ],
      solution: [
        use(append(SHOPPING, '- [ ] milk')),
        use(finish('I proposed adding milk.')),
        use(append(SHOPPING, '- [ ] rice')),
        use(finish('Proposed rice for your shopping list.')),
      ],
      mistake: [
        use(append(SHOPPING, '- [ ] milk')),
        use(finish('I proposed adding milk.')),
        use(append(SHOPPING, '- [ ] rice')),
        use(finish('Added rice to your shopping list.')),
      ],
    },
    {
      name: 'accept a rejection',
      files: VAULT,
      settings: REVIEW,
      steps: [
        say('Write a note Notes/Slugs.md about slugs: beer traps work'),
        reject('all'),
        say('I do not want that note. What does the compost note link to?'),
      ],
      judge: [says(/Tomatoes/), leavesPending(), keeps('Notes/Compost.md'), onlyChanges()],
      solution: [
        use(write('Notes/Slugs.md', '# Slugs\n\nBeer traps work.\n')),
        use(finish('I proposed the note.')),
        use(read('Notes/Compost.md')),
        use(finish('It links to [[Tomatoes]].')),
      ],
      mistake: [
        use(write('Notes/Slugs.md', '# Slugs\n\nBeer traps work.\n')),
        use(finish('I proposed the note.')),
        use(read('Notes/Compost.md'), write('Notes/Slugs.md', '# Slugs\n\nBeer traps.\n')),
        use(finish('It links to [[Tomatoes]].')),
      ],
    },
    {
      name: 'propose in two notes at once',
      files: VAULT,
      settings: REVIEW,
      steps: [
        say(
          'Replace "torch" by "head lamp" on the packing list and add batteries to the shopping list',
        ),
        accept('all'),
      ],
      judge: [
        hasLine('Lists/Packing.md', /head ?lamp/i),
        lacks('Lists/Packing.md', 'torch'),
        hasLine(SHOPPING, /^- \[ \] batteries$/i),
        leavesPending(),
        onlyChanges(SHOPPING, 'Lists/Packing.md'),
        completes(),
      ],
      solution: [
        use(swap('Lists/Packing.md', 'torch', 'head lamp'), append(SHOPPING, '- [ ] batteries')),
        use(finish('I proposed both.')),
      ],
      mistake: [
        use(append('Lists/Packing.md', '- head lamp'), append(SHOPPING, '- [ ] batteries')),
        use(finish('I proposed both.')),
      ],
    },
  ],
};
