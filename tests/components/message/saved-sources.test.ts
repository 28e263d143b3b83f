/** The sources of a saved answer, as the command in its note shows them. */
import { screen as page, within } from '@testing-library/svelte';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test } from 'vitest';
import { chatMounter } from '#components/mount.ts';
import { withSourceFootnotes } from '#model/passage';
import type { PassageCheck } from '#model/passage-check';
import { savedSourcesIn } from '#model/saved-sources';
import { pagePassage, passageOf } from '#tests/builders/passages';
import { pageUi } from '#workbench/gallery/page-ui';
import { scriptedAgent, type ScriptedAgent } from '#workbench/gallery/scripted-agent';

const HERBS = '# Herbs\n\n## Sowing\nSow *basil* in May.\n\n## Harvest\nIn July \\*or\\* later.\n';
const PATH = 'Garden/Herbs.md';
const sowing = passageOf(PATH, HERBS, 'Sow *basil* in May.');
const harvest = passageOf(PATH, HERBS, 'In July \\*or\\* later.');
const SAVED = withSourceFootnotes('May [@Herbs:4]. July [@Herbs:7]. Warm [@Growing basil:2].', [
  sowing,
  harvest,
  pagePassage(),
]);

/** @param checks of the sources in the footnotes, in order */
function show(checks: readonly PassageCheck[], change?: (agent: ScriptedAgent) => void) {
  const agent = scriptedAgent([]);
  const ui = pageUi();
  for (const [at, source] of savedSourcesIn(SAVED).entries()) {
    const check = checks[at];
    if (check) agent.saved.push({ source, check });
  }
  change?.(agent);
  const left: string[] = [];
  const mounter = chatMounter(agent, ui, Promise.resolve(), () => undefined);
  const element = document.body.appendChild(document.createElement('div'));
  const onleave = () => void left.push('left');
  const shown = mounter.mountSources(element, { note: 'Answer.md', onleave });
  onTestFinished(() => {
    shown.close();
    mounter.close();
  });
  return { agent, ui, left, element, user: userEvent.setup() };
}

const status = () => page.getByRole('status').textContent;
const rows = () => within(page.getByRole('list', { name: 'Sources' })).getAllByRole('listitem');

test('every source has its name, its heading, its words, and what it is today', async () => {
  const now = 'In June \\*or\\* later.';
  const { agent } = show([
    { kind: 'moved', path: 'Plants/Herbs.md', first: 9, last: 9 },
    { kind: 'changed', path: PATH, first: 7, last: 7, now },
    { kind: 'outside' },
  ]);
  expect(status()).toBe('Checking the sources…');
  await expect.poll(status).toBe('1 changed, 1 moved, 1 not checked');
  expect(agent.asked).toContainEqual(['checkNote', 'Answer.md']);
  const [moved, changed, outside] = rows();
  expect(moved).toHaveTextContent(/Herbs › Sowing.*Sow basil in May\..*Plants\/Herbs\.md, line 9/);
  expect(changed).toHaveTextContent('Changed since');
  expect(changed?.querySelector('del')).toHaveTextContent(/July$/);
  expect(changed?.querySelector('ins')).toHaveTextContent(/June$/);
  expect(changed).toHaveTextContent('*or* later.');
  const link = within(outside!).getByRole('link', { name: /^Growing basil/ });
  expect(link).toHaveAttribute('href', pagePassage().url);
});

test('Enter on a source opens its note at the line, and leaves', async () => {
  const { ui, left, user } = show([
    { kind: 'unchanged', path: PATH, first: 4, last: 4 },
    { kind: 'hidden' },
    { kind: 'outside' },
  ]);
  await expect.poll(() => document.activeElement?.textContent).toMatch(/Herbs › Sowing/);
  await user.keyboard('{Enter}');
  expect(ui.asked.at(-1)).toEqual(['openNote', PATH, 'here', 4]);
  expect(left).toEqual(['left']);
  await user.keyboard('{ArrowDown}{Enter}');
  expect(ui.asked.at(-1)?.slice(0, 2)).toEqual(['openNote', 'Garden/Herbs#Harvest']);
});

test('a source whose note is gone says so, and opens nothing', async () => {
  const { ui, user } = show([
    { kind: 'gone', path: null },
    { kind: 'gone', path: PATH },
  ]);
  await expect.poll(status).toBe('2 gone');
  const [note, text] = rows();
  expect(note).toHaveTextContent('The note is gone');
  expect(text).toHaveTextContent('No longer in the note');
  await user.click(within(note!).getByRole('button'));
  expect(ui.asked.at(-1)).toEqual(['notice', 'The note is gone']);
  await user.click(within(text!).getByRole('button'));
  expect(ui.asked.at(-1)?.slice(0, 3)).toEqual(['openNote', PATH, 'here']);
});

test('a note without sources says so, and takes the focus from the editor', async () => {
  const { element } = show([]);
  expect(element).toContainElement(document.activeElement as HTMLElement);
  await expect.poll(status).toBe('This note has no sources to check.');
  expect(page.queryByRole('list')).toBeNull();
});

test('a note that cannot be read says so', async () => {
  show([], (agent) => {
    agent.sources.checkNote = async () => ({ ok: false, reason: 'The note could not be read.' });
  });
  await expect.poll(status).toBe('The note could not be read.');
});

test('an answer that is saved twice lists its sources twice', async () => {
  const check: PassageCheck = { kind: 'unchanged', path: PATH, first: 4, last: 4 };
  show([], ({ saved }) => {
    const twice = savedSourcesIn(`${SAVED}\n\n${SAVED}`).filter(
      ({ place }) => place.kind === 'note',
    );
    saved.push(...twice.map((source) => ({ source, check })));
  });
  await expect.poll(status).toBe('All 4 sources are unchanged');
  expect(rows()).toHaveLength(4);
});
