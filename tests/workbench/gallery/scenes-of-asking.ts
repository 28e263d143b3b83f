/** Scenes of questions and approvals, both open and resolved. */
import type { Scenes } from './scene';
import { Script } from './script';

function question(): Script {
  const script = new Script('question').ask('Add eggs to the list').step();
  script.hold(
    'ask_user',
    { question: 'Which list do you mean?' },
    {
      kind: 'question',
      text: 'There are two lists that could be meant. **Which one?**',
      choices: ['Lists/Shopping.md', 'Lists/Baking for the birthday.md'],
      allowFreeText: true,
    },
  );
  return script;
}

function card(): Script {
  const script = new Script('approval').ask('Delete the old boat note', 'text').step();
  script.say('It is linked from two notes, so have a look.');
  script.hold(
    'delete',
    { path: 'Projects/Boat.md' },
    {
      kind: 'approval',
      tool: 'delete',
      title: 'Delete Projects/Boat.md?',
      lines: [
        '2 notes link to it: Index.md, Journal/2026-01-04.md.',
        'It goes to the vault’s trash and can be restored from there.',
      ],
      choices: ['delete', 'keep'],
    },
  );
  return script;
}

function allow(): Script {
  const script = new Script('allow').ask('Write the weekly review into AGENTS.md').step();
  script.hold(
    'edit_file',
    { path: 'AGENTS.md' },
    {
      kind: 'approval',
      tool: 'edit_file',
      title: 'Allow this change to AGENTS.md?',
      lines: [
        'It tells every agent how to work in this vault.',
        'Changes AGENTS.md (+2 −1 lines).',
      ],
      choices: ['allow-once', 'deny'],
      changes: [
        {
          path: 'AGENTS.md',
          before: '# House rules\n\n- Lists go into Lists.\n- Write in English.\n',
          after:
            '# House rules\n\n- Lists go into Lists.\n- Write in the language of the note.\n- Review the week on Sundays.\n',
        },
      ],
    },
  );
  return script;
}

/** A finished conversation with answered, decided and denied interactions. */
function settled(): Script {
  const script = new Script('settled').ask('Tidy up the lists').step();
  const waiting = script.hold(
    'ask_user',
    { question: 'Which list may go?' },
    { kind: 'question', text: 'Which list may go?', choices: ['None'], allowFreeText: true },
  );
  script.resolve(waiting, { kind: 'answer', text: 'The one of 2019', via: 'voice' });
  script.finish(waiting.call, { text: 'The user said next: The one of 2019', failed: false });
  script.step().say('That one is linked from nowhere.');
  const card = script.hold(
    'delete',
    { path: 'Lists/Presents 2019.md' },
    {
      kind: 'approval',
      tool: 'delete',
      title: 'Delete it?',
      lines: [],
      choices: ['delete', 'keep'],
    },
  );
  script.resolve(card, { kind: 'choice', choice: 'keep' });
  script.finish(card.call, { text: 'The user denied delete.', failed: true });
  script.step();
  const other = script.hold(
    'move',
    { source: 'Lists/Presents 2019.md', destination: 'Archive/' },
    {
      ...{
        kind: 'approval',
        tool: 'move',
        title: 'Move Lists/Presents 2019.md to Archive/?',
        lines: [],
      },
      choices: ['allow-once', 'always', 'deny'],
    },
  );
  script.resolve(other, { kind: 'choice', choice: 'deny', reason: 'There is no archive.' });
  script.finish(other.call, { text: 'The user denied move.', failed: true });
  return script
    .step()
    .call('edit_file', { path: 'Lists/Shopping.md' }, 'This conversation is Read only.', {
      failed: true,
      details: { kind: 'refused', by: 'mode' },
    })
    .call('write_file', { path: 'Lists/Index.md' }, 'write_file is switched off.', {
      failed: true,
      details: { kind: 'refused', by: 'permission' },
    })
    .stepEnd()
    .end({ kind: 'completed', outcome: 'not_done', reply: 'Nothing was changed.' });
}

function refused(): Script {
  const script = new Script('refused');
  script.write({ type: 'mode-set', mode: 'read-only' });
  return script
    .ask('Add salt to my shopping list')
    .step()
    .call('edit_file', { path: 'Lists/Shopping.md' }, 'This conversation is Read only.', {
      failed: true,
      details: { kind: 'refused', by: 'mode' },
    })
    .say('I would add “- Salt” at the end of [[Shopping]].')
    .done('I would add “- Salt” at the end of [[Shopping]].');
}

function manyChoices(): Script {
  const script = new Script('choices').ask('File the letter').step();
  const draft = {
    kind: 'question',
    text: 'Where does it belong? It names *three* things:\n\n1. the lease\n2. the deposit\n3. a plumber',
    choices: [
      'Projects/Flat in the Rua da Graça/Lease and everything that was signed with it.md',
      'Lists/Deposits.md',
      'Notes/Plumbers.md',
      'None of these',
    ],
    allowFreeText: false,
  } as const;
  script.hold('ask_user', { question: draft.text }, draft);
  return script;
}

export const ASKING_SCENES: Scenes = {
  question: () => ({ scripts: [question()] }),
  'question-being-answered': () => ({
    scripts: [question()],
    acts: [{ write: 'Neither: make a new one, and call it Breakfast', into: 'Message' }],
  }),
  'question-many-choices': () => ({ scripts: [manyChoices()] }),
  card: () => ({ scripts: [card()] }),
  'card-of-a-change': () => ({ scripts: [allow()] }),
  'card-being-answered': () => ({
    scripts: [allow()],
    acts: [{ write: 'No, write it into the journal', into: 'Message' }],
  }),
  'refused-by-mode': () => ({ scripts: [refused()] }),
  settled: () => ({ scripts: [settled()] }),
};
