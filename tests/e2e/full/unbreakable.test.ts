/**
 * Markdown that once made a chat unusable: in an answer, an embedded note, a proposal and an
 * approval.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { proposalBlock } from '#tests/e2e/blocks';
import { openChat, type OpenedChat } from '#tests/e2e/chat';
import { openWorkbench, type OpenedWorkbench } from '#tests/e2e/driver';
import { call, reply } from '#workbench/model/replies';

const OLD = 'Notes/Old timetable.md';
const LIST = 'Lists/Shopping.md';
const deletes = reply('One note may go.', call('delete', { path: OLD }));

const HOSTILE: readonly (readonly [what: string, text: string])[] = [
  ['3,000 nested quotes', `${'> '.repeat(3_000)}x`],
  ['1,500 nested list items', `${'- '.repeat(1_500)}x`],
  ['nested list items with text below', `${'- '.repeat(1_500)}x\ny\nz`],
  ['2,000 quotes of lists', `${'> 1. '.repeat(2_000)}x`],
  ['1,000 nested callouts', `${'> '.repeat(1_000)}[!note] x`],
  ['1,000 nested footnotes', `${'[^1]: '.repeat(1_000)}x`],
  ['500 words in bold words', `${'**a '.repeat(500)}x${' b**'.repeat(500)}`],
  [
    'a table of a million cells',
    `${'|a'.repeat(1_000)}|\n${'|-'.repeat(1_000)}|\n${'|\n'.repeat(1_000)}`,
  ],
];

/** A selection for places that use the same renderer as answers. */
const WORST = HOSTILE.slice(0, 3);

/** Every kind of block with a selector for its element, which `breakKinds` makes fail. */
const KINDS: readonly (readonly [selector: string, text: string])[] = [
  ['h3', '### Heading'],
  ['p:has(em)', 'A paragraph with *words* in it.'],
  ['ul', '- one\n- two'],
  ['ol', '1. one\n2. two'],
  ['li:has(input)', '- [ ] one\n- [x] two'],
  ['blockquote', '> quoted'],
  ['.callout', '> [!note] Title\n> words'],
  ['pre', '```js\nlet a;\n```'],
  ['table', '| a | b |\n| - | - |\n| c | d |'],
  ['hr', '* * *'],
  ['.math', '$$\nx^2\n$$'],
  ['p:has(.parley-picture)', '![A picture](https://example.com/a.png)'],
  ['p:has(mark)', 'Some ==bright== words.'],
  ['p:has(a)', 'A [[Note]] and a [page](https://example.com).'],
];
const EVERY_KIND = KINDS.map(([, text]) => text).join('\n\n');

/** Makes appending any of these elements throw, in the current page and after a reload. */
async function breakKinds({ page }: OpenedWorkbench): Promise<void> {
  const refuse = (selector: string) => {
    const { append } = Element.prototype;
    Element.prototype.append = function (this: Element, ...nodes: (Node | string)[]) {
      for (const node of nodes) {
        if (!(node instanceof Element) || node.closest('.parley-plain')) continue;
        if (node.querySelector('.parley-plain, .parley-embedded')) continue;
        if (node.matches(selector) || node.querySelector(selector)) {
          throw new TypeError('on purpose');
        }
      }
      append.apply(this, nodes);
    };
  };
  const selector = KINDS.map(([each]) => each).join(', ');
  await page.addInitScript(refuse, selector);
  await page.evaluate(refuse, selector);
}

/** Expects every kind of block as plain text. */
async function expectPlain(place: Locator): Promise<void> {
  await place
    .locator('.parley-plain')
    .nth(KINDS.length - 1)
    .waitFor();
  const plain = await place.locator('.parley-plain').allTextContents();
  expect(plain.map((each) => each.trim().replace(/^added: /, ''))).toEqual(
    KINDS.map(([, text]) => text),
  );
}

/** The hostile text between ordinary Markdown. */
const around = (text: string) => `# Before\n\n${text}\n\nAnd **after** it.`;

/**
 * Expects a usable chat: the approval can be decided and a new message is answered, also after a
 * reload.
 */
async function goesOn(chat: OpenedChat, shown: () => Promise<void>): Promise<void> {
  const { approval: card, log, vault } = chat;
  await card.waitFor();
  await shown();
  await chat.reload();
  await card.waitFor();
  await shown();
  await card.getByRole('button', { name: 'Delete' }).click();
  await log.getByText('It is gone.').waitFor();
  expect(existsSync(path.join(vault, OLD))).toBe(false);
  await chat.idle();
  await chat.send('Are you still there?');
  await log.getByText('Still here.').waitFor();
  await chat.idle();
  await chat.reload();
  await shown();
  await log.getByText('Still here.').waitFor();
  await chat.expectNoFaults();
}

const END = [reply('It is gone.'), reply('Still here.')];

test.each(HOSTILE)(
  'the chat and its approval stay usable with %s in an answer',
  async (_, text) => {
    await using chat = await openChat({
      model: [reply(around(text), call('delete', { path: OLD })), ...END],
    });
    await chat.send('Tell me, and tidy up');
    await goesOn(chat, async () => {
      await chat.log.getByRole('heading', { name: 'Before' }).waitFor();
      await chat.log.locator('strong', { hasText: 'after' }).waitFor();
      const plain = await chat.log.locator('.parley-plain').allInnerTexts();
      expect(plain.join('\n').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    });
  },
);

test.each(WORST)(
  'the chat and its approval stay usable with %s in an embedded note',
  async (_, text) => {
    await using chat = await openChat({
      files: { 'Deep.md': around(text) },
      model: [reply('See ![[Deep]].', call('delete', { path: OLD })), ...END],
    });
    await chat.send('Show me, and tidy up');
    await goesOn(chat, async () => {
      const note = chat.log.locator('.parley-embedded');
      await chat.log.getByRole('button', { name: 'Deep' }).click();
      await note.getByRole('heading', { name: 'Before' }).waitFor();
      await note.locator('strong', { hasText: 'after' }).waitFor();
      const plain = await note.locator('.parley-plain').allTextContents();
      expect(plain.join('\n').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    });
  },
);

test.each(WORST)('a proposal with %s can be decided in the chat', async (_, text) => {
  await using chat = await openChat({
    settings: {},
    model: [
      reply(call('read_file', { path: LIST })),
      reply(call('edit_file', { path: LIST, edits: [{ position: 'end', content: text }] })),
      deletes,
      ...END,
    ],
  });
  const { log } = chat;
  await chat.send('Add it, and tidy up');
  const edits = log.getByRole('region', { name: 'Edits in Shopping' });
  await goesOn(chat, async () => {
    await edits.getByRole('button', { name: 'Accept', exact: true }).waitFor();
  });
  await edits.getByRole('button', { name: 'Accept', exact: true }).click();
  await edits.getByText(/^Accepted/).waitFor();
  expect(chat.read(LIST)).toContain(text);
  await chat.expectNoFaults();
});

test.each(WORST)(
  'an approval with %s can be decided by keyboard after a reload',
  async (_, text) => {
    await using chat = await openChat({
      settings: { panelMode: 'apply', tools: { write_file: 'ask' } },
      model: [
        reply('May I?', call('write_file', { path: 'Deep.md', content: around(text) })),
        deletes,
        ...END,
      ],
    });
    const { approval: card } = chat;
    await chat.send('Write it, and tidy up');
    await card.getByRole('button', { name: 'Allow once' }).waitFor();
    await chat.reload();
    await card.getByText('Before').waitFor();
    await card.getByRole('button', { name: 'Allow once' }).press('Enter');
    await card.getByText(`Delete ${OLD}?`).waitFor();
    expect(chat.read('Deep.md')).toBe(around(text));
    await goesOn(chat, () => chat.log.getByText('May I?').waitFor());
  },
);

test.each(WORST)('a proposal with %s is shown and can be decided in its note', async (_, text) => {
  await using workbench = await openWorkbench({
    sample: false,
    files: { 'Welcome.md': `# Plan\n\n${proposalBlock('deep', { after: around(text) })}` },
  });
  const { page, vault } = workbench;
  const widget = page.locator('.mod-root .block-language-ai-edit');
  await widget.getByRole('heading', { name: 'Before' }).waitFor();
  await widget.locator('.parley-plain').waitFor();
  await widget.getByRole('button', { name: 'Reject' }).click();
  await widget.waitFor({ state: 'detached' });
  await expect.poll(() => readFileSync(path.join(vault, 'Welcome.md'), 'utf8')).toBe('# Plan\n\n');
  expect(await workbench.faults()).toEqual([]);
});

test('the chat stays usable when every kind of block fails in an answer, an embedded note or an approval', async () => {
  await using chat = await openChat({
    files: { 'Deep.md': around(EVERY_KIND) },
    settings: { panelMode: 'apply', tools: { write_file: 'ask' } },
    model: [
      reply(
        `${around(EVERY_KIND)}\n\n![[Deep]]`,
        call('write_file', { path: 'New.md', content: EVERY_KIND }),
      ),
      deletes,
      ...END,
    ],
  });
  const { approval: card, log } = chat;
  const answer = log.locator('.markdown-rendered').first();
  await breakKinds(chat);
  await chat.send('Tell me, and tidy up');
  await card.getByRole('button', { name: 'Allow once' }).waitFor();
  await expectPlain(answer);
  await chat.checkLooks('failing-blocks');
  await chat.reload();
  await expectPlain(answer);
  await card.getByRole('button', { name: 'Allow once' }).click();
  await card.getByText(`Delete ${OLD}?`).waitFor();
  expect(chat.read('New.md')).toBe(EVERY_KIND);
  await log.getByRole('button', { name: 'Deep' }).click();
  await expectPlain(answer.locator('.parley-embedded'));
  await goesOn(chat, () => answer.getByRole('heading', { name: 'Before' }).first().waitFor());
});

test('a proposal can be accepted in its note when every kind of block in it fails to render', async () => {
  await using workbench = await openWorkbench({
    sample: false,
    files: {
      'Welcome.md': '# Plan\n',
      'Other.md': `${proposalBlock('deep', { after: EVERY_KIND })}`,
    },
  });
  const { page, vault } = workbench;
  await breakKinds(workbench);
  await page.getByText('Other', { exact: true }).first().click();
  const widget = page.locator('.mod-root .block-language-ai-edit');
  await expectPlain(widget);
  await widget.getByRole('button', { name: 'Accept' }).click();
  await expect
    .poll(() => readFileSync(path.join(vault, 'Other.md'), 'utf8').trim())
    .toBe(EVERY_KIND);
});
