/** Versions of a pending edit, as it would propose them in the note as it is now. */
import { expect, test } from 'vitest';
import { versionsOf } from '#edits/edit-versions';
import type { ProposalId } from '#model/ids';
import { ProposalHarness } from './proposing';

const PATH = 'Plan.md';

/** A note with one pending edit that has proposed these texts of the whole note. */
async function proposed(before: string, ...texts: readonly string[]) {
  const harness = new ProposalHarness({ [PATH]: before, 'Other.md': 'Other.\n' });
  await harness.restart();
  const hunk = () => harness.ids(PATH)[0] as ProposalId;
  for (const [at, text] of texts.entries()) {
    if (at === 0) await harness.proposeText(PATH, text);
    else await harness.revise(PATH, hunk(), text);
  }
  const versions = async () => {
    const deps = { changeLog: harness.ledger, notes: harness.notes };
    const found = await versionsOf(hunk(), harness.notes.text(PATH), deps);
    return found.map(({ after, isCurrent }) => (isCurrent ? [after] : after));
  };
  return { harness, versions };
}

test('versions of an edit name the notes that they link to as these are named now', async () => {
  const texts = ['See [[Other]].\n', 'Look at [[Other]].\n'];
  const { harness, versions } = await proposed('Text.\n', ...texts);
  expect(await versions()).toEqual([texts[0], [texts[1]]]);
  await harness.rename('Other.md', 'New.md');
  expect(await versions()).toEqual(['See [[New]].\n', ['Look at [[New]].\n']]);
});

test('versions of an edit to the properties have what the user has changed in them since', async () => {
  const head = (a: number, c: number) => `---\na: ${a}\nb: 1\nc: ${c}\n---\n`;
  const texts = [head(1, 1), head(1, 2), head(1, 3)].map((text) => `${text}Text.\n`);
  const { harness, versions } = await proposed(texts[0]!, ...texts.slice(1));
  expect(await versions()).toEqual([head(1, 2), [head(1, 3)]]);
  harness.notes.put(PATH, harness.notes.text(PATH).replace('a: 1', 'a: 9'));
  expect(await versions()).toEqual([head(9, 2), [head(9, 3)]]);
});
