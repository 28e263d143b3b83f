/**
 * Markdown that once made a chat unusable: in an answer, an embedded note, a proposal and an
 * approval.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { ANY_DEVICE, readEdits, textsOf } from '#model/edit/note-edits';
import { proposalBlock } from '#tests/e2e/blocks';
import { openChat, type OpenedChat } from '#tests/e2e/chat';
import { openWorkbench, type OpenedWorkbench } from '#tests/e2e/driver';
import { call, reply } from '#workbench/model/replies';

/** The note that is deleted after an approval, one for each text. */
const oldName = (index: number) => `Old ${index}`;
const oldNote = (index: number) => `${oldName(index)}.md`;
const deletion = (index: number) => call('delete', { path: oldNote(index) });
const GONE = reply('It is gone.');

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

const OLD_NOTES = Object.fromEntries(HOSTILE.map((_, index) => [oldNote(index), 'An old note.\n']));

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
    const check = (node: Node | string) => {
      if (!(node instanceof Element) || node.closest('.parley-plain')) return;
      if (node.querySelector('.parley-plain, .parley-embedded')) return;
      if (node.matches(selector) || node.querySelector(selector)) {
        throw new TypeError('on purpose');
      }
    };
    const { append } = Element.prototype;
    const { appendChild, replaceChild } = Node.prototype;
    Element.prototype.append = function (this: Element, ...nodes: (Node | string)[]) {
      nodes.forEach(check);
      append.apply(this, nodes);
    };
    Node.prototype.appendChild = function <Added extends Node>(this: Node, node: Added): Added {
      check(node);
      return appendChild.call(this, node) as Added;
    };
    Node.prototype.replaceChild = function <Old extends Node>(
      this: Node,
      node: Node,
      old: Old,
    ): Old {
      check(node);
      return replaceChild.call(this, node, old) as Old;
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

const isInView = (element: Element) => {
  const [inner, outer] = [element, element.closest('[role=log]')!].map((each) =>
    each.getBoundingClientRect(),
  );
  return inner!.top >= outer!.top && inner!.bottom <= outer!.bottom;
};

/** Expects an approval that can be decided, and what `shown` expects, also after a reload. */
async function canDelete(chat: OpenedChat, note: string, shown: () => Promise<void>) {
  const { approval: card, log, vault } = chat;
  await card.waitFor();
  await shown();
  await chat.reload();
  await card.waitFor();
  await shown();
  const choice = card.getByRole('button', { name: 'Delete' });
  // The chat scrolls to what it waits for.
  await expect.poll(() => choice.evaluate(isInView)).toBe(true);
  await choice.click();
  await log.getByText('It is gone.').waitFor();
  expect(existsSync(path.join(vault, note))).toBe(false);
  await chat.idle();
}

/** To be called after `canDelete`. */
async function beginNewChat(chat: OpenedChat): Promise<void> {
  await chat.command('New chat');
  await chat.log.getByText('It is gone.').waitFor({ state: 'detached' });
}

/** Expects a new message to be answered, and the chat to be usable after another reload. */
async function goesOn(chat: OpenedChat, shown: () => Promise<void>): Promise<void> {
  await chat.send('Are you still there?');
  await chat.log.getByText('Still here.').waitFor();
  await chat.idle();
  await chat.reload();
  await shown();
  await chat.log.getByText('Still here.').waitFor();
  await chat.expectNoFaults();
}

/** Opens all that is folded, without which nothing can be allowed. */
async function openAll(card: Locator) {
  const folded = card.getByRole('button', { name: 'Show all' });
  while ((await folded.count()) > 0) await folded.first().press('Enter');
}

const STILL_HERE = reply('Still here.');
/** Enough for several texts on a busy machine. */
const TIMEOUT_MS = 300_000;

test(
  'the chat and its approval stay usable with hostile Markdown in an answer',
  async () => {
    await using chat = await openChat({
      files: OLD_NOTES,
      model: [
        ...HOSTILE.flatMap(([, text], index) => [reply(around(text), deletion(index)), GONE]),
        STILL_HERE,
      ],
    });
    let shown = () => Promise.resolve();
    for (const [index, [what, text]] of HOSTILE.entries()) {
      shown = async () => {
        await chat.log.getByRole('heading', { name: 'Before' }).waitFor();
        await chat.log.locator('strong', { hasText: 'after' }).waitFor();
        const plain = await chat.log.locator('.parley-plain').allInnerTexts();
        expect(plain.join('\n').replace(/\s/g, ''), what).toBe(text.replace(/\s/g, ''));
      };
      if (index > 0) await beginNewChat(chat);
      await chat.send('Tell me, and tidy up');
      await canDelete(chat, oldNote(index), shown);
    }
    await goesOn(chat, shown);
  },
  TIMEOUT_MS,
);

test(
  'the chat and its approval stay usable with hostile Markdown in an embedded note',
  async () => {
    const deep = WORST.map(([, text], index) => [`Deep ${index}.md`, around(text)] as const);
    await using chat = await openChat({
      files: { ...OLD_NOTES, ...Object.fromEntries(deep) },
      model: [
        ...WORST.flatMap((_, index) => [reply(`See ![[Deep ${index}]].`, deletion(index)), GONE]),
        STILL_HERE,
      ],
    });
    let shown = () => Promise.resolve();
    for (const [index, [what, text]] of WORST.entries()) {
      shown = async () => {
        const note = chat.log.locator('.parley-embedded');
        await chat.log.getByRole('button', { name: `Deep ${index}` }).click();
        await note.getByRole('heading', { name: 'Before' }).waitFor();
        await note.locator('strong', { hasText: 'after' }).waitFor();
        const plain = await note.locator('.parley-plain').allTextContents();
        expect(plain.join('\n').replace(/\s/g, ''), what).toBe(text.replace(/\s/g, ''));
      };
      if (index > 0) await beginNewChat(chat);
      await chat.send('Show me, and tidy up');
      await canDelete(chat, oldNote(index), shown);
    }
    await goesOn(chat, shown);
  },
  TIMEOUT_MS,
);

test(
  'a proposal with hostile Markdown can be decided in the chat',
  async () => {
    const list = (index: number) => `List ${index}.md`;
    await using chat = await openChat({
      files: {
        ...OLD_NOTES,
        ...Object.fromEntries(WORST.map((_, index) => [list(index), 'Milk\n'])),
      },
      settings: {},
      model: [
        ...WORST.flatMap(([, text], index) => [
          reply(call('read_file', { path: list(index) })),
          reply(
            call('edit_file', { path: list(index), edits: [{ position: 'end', content: text }] }),
          ),
          reply('One note may go.', deletion(index)),
          GONE,
        ]),
        STILL_HERE,
      ],
    });
    let shown = () => Promise.resolve();
    for (const [index, [what, text]] of WORST.entries()) {
      const edits = chat.log.getByRole('region', { name: `Edits in List ${index}` });
      const accept = edits.getByRole('button', { name: 'Accept', exact: true });
      shown = () => accept.waitFor();
      if (index > 0) await beginNewChat(chat);
      await chat.send('Add it, and tidy up');
      await canDelete(chat, oldNote(index), shown);
      if (index === WORST.length - 1) await goesOn(chat, shown);
      await accept.click();
      await edits.getByText(/^Accepted/).waitFor();
      expect(chat.read(list(index)), what).toContain(text);
    }
    await chat.expectNoFaults();
  },
  TIMEOUT_MS,
);

test(
  'an approval with hostile Markdown can be decided by keyboard after a reload',
  async () => {
    const deep = (index: number) => `Deep ${index}.md`;
    await using chat = await openChat({
      files: OLD_NOTES,
      settings: { panelMode: 'apply', tools: { write_file: 'ask' } },
      model: [
        ...WORST.flatMap(([, text], index) => [
          reply('May I?', call('write_file', { path: deep(index), content: around(text) })),
          reply('One note may go.', deletion(index)),
          GONE,
        ]),
        STILL_HERE,
      ],
    });
    const { approval: card, log } = chat;
    const shown = () => log.getByText('May I?').waitFor();
    for (const [index, [what, text]] of WORST.entries()) {
      if (index > 0) await beginNewChat(chat);
      await chat.send('Write it, and tidy up');
      await card.getByRole('button', { name: 'Allow once' }).waitFor();
      await chat.reload();
      await card.getByRole('heading', { name: /Before/ }).waitFor();
      await openAll(card);
      await card.getByRole('button', { name: 'Allow once' }).press('Enter');
      await card.getByText(`Delete “${oldName(index)}”?`).waitFor();
      expect(chat.read(deep(index)), what).toBe(around(text));
      await canDelete(chat, oldNote(index), shown);
    }
    await goesOn(chat, shown);
  },
  TIMEOUT_MS,
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
  await expect.poll(() => readFileSync(path.join(vault, 'Welcome.md'), 'utf8')).toBe('# Plan\n');
  expect(await workbench.faults()).toEqual([]);
});

test('the chat stays usable when every kind of block fails in an answer, an embedded note or an approval', async () => {
  await using chat = await openChat({
    files: { ...OLD_NOTES, 'Deep.md': around(EVERY_KIND) },
    settings: { panelMode: 'apply', tools: { write_file: 'ask' } },
    model: [
      reply(
        `${around(EVERY_KIND)}\n\n![[Deep]]`,
        call('write_file', { path: 'New.md', content: EVERY_KIND }),
      ),
      reply('One note may go.', deletion(0)),
      GONE,
      STILL_HERE,
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
  await openAll(card);
  await card.getByRole('button', { name: 'Allow once' }).click();
  await card.getByText(`Delete “${oldName(0)}”?`).waitFor();
  expect(textsOf(readEdits(chat.read('New.md'), ANY_DEVICE)).after).toBe(EVERY_KIND);
  await log.getByRole('button', { name: 'Deep' }).click();
  await expectPlain(answer.locator('.parley-embedded'));
  const shown = () => answer.getByRole('heading', { name: 'Before' }).first().waitFor();
  await canDelete(chat, oldNote(0), shown);
  await goesOn(chat, shown);
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
