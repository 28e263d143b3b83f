/** Scenes of names, paths and words that overflow. */
import type { ChangeNote } from '#model/message';
import type { Scenes } from './scene';
import { Script } from './script';

const WORD = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrikbesitzerversammlung';
const FOLDER = 'Projects/2026/Everything that has to do with the house';
const PATH = `${FOLDER}/${WORD} and what was said there about the new house rules.md`;

function longNames(): Script {
  const change = (kind: ChangeNote['kind'], path: string, to?: string): ChangeNote => ({
    ...{ change: `change-${kind}-${path}` as never, kind, path, added: 1234, removed: 987 },
    ...(to === undefined ? {} : { to, links: 12 }),
  });
  const script = new Script('longnames')
    .beside(PATH)
    .ask(`${WORD}${WORD}: was it on https://example.com/a/very/long/address/without/a/space/?q=1`)
    .step()
    .plan(
      { text: `Read what ${WORD} says, and all that leads to it`, state: 'done' },
      { text: `Look at ${PATH}`, state: 'doing' },
    )
    .call('read_file', { path: PATH }, '1\t#', { details: { kind: 'read', paths: [PATH] } })
    .call('move', { source: PATH, destination: `Archive/${WORD}/` }, 'Moved.', {
      details: {
        kind: 'changes',
        changes: [change('write', PATH), change('move', PATH, `Archive/${WORD}/Rules.md`)],
      },
    });
  const text = `It was, see [[${FOLDER}/${WORD}]].`;
  return script.stepEnd().step().say(text).done(text);
}

function longCard(): Script {
  const script = new Script('longcard').ask('Delete it').step();
  script.hold(
    'delete',
    { path: PATH },
    {
      kind: 'approval',
      tool: 'delete',
      title: `Delete ${PATH}?`,
      lines: [`12 notes link to it: ${PATH}, ${FOLDER}/Lease.md, and 10 more.`],
      choices: ['delete', 'keep'],
    },
  );
  return script;
}

function longCall(): Script {
  const script = new Script('longcall').ask('Read it').step();
  return script.start(script.prepare('read_file', { path: PATH }));
}

export const LENGTH_SCENES: Scenes = {
  'long-names': () => ({ scripts: [longNames()], acts: [{ scroll: 'Messages', to: 0 }] }),
  'long-names-end': () => ({ scripts: [longNames()] }),
  'long-card': () => ({ scripts: [longCard()] }),
  'long-call': () => ({ scripts: [longCall()] }),
};
