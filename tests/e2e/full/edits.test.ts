/**
 * One request proposes five edits in one note. They are decided in the note and in the chat, also
 * after a restart, and undone after the user has typed.
 */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { call, reply } from '#workbench/model/replies';
import { openChat } from '#tests/e2e/chat';

const NOTE = 'Plans/Lisbon.md';
const BEFORE = `---
tags: [travel]
---

# Lisbon

We go by train in may.

## Pack

- [ ] shoes
- [ ] socks
- [ ] map

## See

The tower, the river and the old trams.

## Eat

Bakeries first.

## Days

Three, or four.
`;

const until = <Value>(look: () => Value) => expect.poll(look);

const edit = (old_text: string, new_text: string) => ({ old_text, new_text });

test('five proposed edits of a note can be accepted, amended and rejected, also after a restart, and undone', async () => {
  await using chat = await openChat({
    files: { [NOTE]: BEFORE },
    settings: {},
    model: [
      reply('I look first.', call('read_file', { path: NOTE })),
      reply(
        'Five changes.',
        call('edit_file', {
          path: NOTE,
          edits: [
            edit('by train in may', 'by train in May'),
            edit('- [ ] socks\n', '- [ ] warm socks\n- [ ] umbrella\n'),
            edit('The tower, the river and the old trams.', 'The tower and the old trams.'),
            edit('Bakeries first.', 'Bakeries first, fish later.'),
            { position: 'end', content: '\n## Sleep\n\nNear the river.' },
          ],
        }),
      ),
      reply('Five edits wait for you.'),
      reply('Good.'),
    ],
  });
  const { page, log } = chat;
  await page.getByRole('button', { name: /^Mode: Review/ }).waitFor();
  const openNote = async () => {
    await page.getByRole('treeitem', { name: 'Plans' }).click();
    await page.getByRole('treeitem', { name: 'Lisbon' }).click();
  };
  await openNote();
  await chat.send('Tidy the plan for Lisbon');
  await chat.idle();
  const widgets = page.locator('.mod-root .block-language-ai-edit');
  await log.getByText('Five edits wait for you.').waitFor();
  await until(() => widgets.count()).toBe(5);
  await until(() => chat.read(NOTE)).toContain('by train in may');
  await chat.checkLooks('five-proposed');

  // The bars do not show the changed words, which are marked in the lines above them.
  await widgets.first().locator('[data-verb=accept]').click();
  await until(() => widgets.count()).toBe(4);
  await until(() => chat.read(NOTE)).toContain('by train in May.');
  await widgets.first().locator('[data-verb=accept]').click();
  await until(() => widgets.count()).toBe(3);
  await until(() => chat.read(NOTE)).toContain('- [ ] warm socks\n- [ ] umbrella\n- [ ] map\n');

  await widgets.first().locator('[data-verb=edit]').click();
  await widgets.getByRole('textbox').fill('The tower, the old trams, the aquarium.');
  await chat.checkLooks('five-amending');
  await widgets.getByRole('textbox').press('Control+Enter');
  await until(() => widgets.count()).toBe(2);
  await until(() => chat.read(NOTE)).toContain('The tower, the old trams, the aquarium.\n');

  const card = log.getByRole('region', { name: 'Edits in Lisbon' });
  const later = card.getByRole('group').filter({ hasText: 'fish later' });
  await later.hover();
  await later.getByRole('button', { name: 'Reject' }).click();
  await until(() => widgets.count()).toBe(1);
  await until(() => chat.read(NOTE)).toContain('\nBakeries first.\n');
  await chat.checkLooks('five-decided');

  await chat.reload();
  await openNote();
  await until(() => widgets.count()).toBe(1);
  await widgets.first().locator('[data-verb=accept]').click();
  await until(() => widgets.count()).toBe(0);
  await until(() => chat.read(NOTE)).toContain('## Sleep\n\nNear the river.');
  await until(() => chat.read(NOTE)).not.toContain('ai-edit');

  await page.locator('.mod-root .cm-content').getByText('tags: [travel]').waitFor();
  const goTo = (words: string, line: Locator) =>
    until(async () => {
      await line.click();
      return page.evaluate(() => getSelection()?.focusNode?.textContent ?? '');
    }).toContain(words);
  await goTo('shoes', page.locator('.mod-root .cm-content').getByText('shoes'));
  await page.keyboard.press('End');
  await page.keyboard.type(' and sandals');
  await goTo('Lisbon', page.locator('.mod-root .cm-content').getByText('Lisbon', { exact: true }));
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Mine: book the seats.');
  await log.getByRole('button', { name: 'Undo all changes from this answer' }).click();
  const undone = BEFORE.replace('shoes', 'shoes and sandals').replace(
    '# Lisbon\n',
    '# Lisbon\nMine: book the seats.\n',
  );
  await until(() => chat.read(NOTE)).toBe(undone);
  await chat.checkLooks('five-undone');

  await chat.send('Thank you');
  await log.getByText('Good.', { exact: true }).waitFor();
  const last = JSON.stringify(chat.modelRequests().at(-1)?.messages.at(-1));
  expect(last).toMatch(/accepted/i);
  expect(last).toMatch(/rejected/i);
  expect(last).toContain('aquarium');
  await chat.expectNoFaults();
});
