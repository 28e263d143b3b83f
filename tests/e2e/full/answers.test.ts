/** Rendering of answers: links, formulas, diagrams, embeds and copying. */
import { expect, test } from 'vitest';
import { reply } from '#workbench/model/replies';
import { openChat, type OpenedChat } from '#tests/e2e/chat';

const NOTE = `A claim[^one] and another[^two], see [[Lists/Shopping|the list]] and #travel/lisbon.

> [!warning] The dates **differ**
> By one day.
>
> - [x] asked
> - [ ] answered

> [!tip]
> Ask.

> A usual quotation.

| Night | Price |
| :-- | --: |
| 12 April | 62 € |

- [x] out
- [ ] back
  - [ ] seat
- no task

1. One
2. Two

[^one]: The first *note*.
[^two]: The second.`;

const RICH = `The mean is $\\frac{1}{n}$, the code:

\`\`\`js
const a = 1;
\`\`\`

\`\`\`mermaid
graph TD
  A[Read] --> B[Answer]
\`\`\`

![[Recipes/Embedded]] and ![A map](https://tiles.example.com/map.png)

Last words, [[Lists/Shopping]], #travel.`;

function said(text: string) {
  return { model: [reply(text)] };
}

/**
 * The element structure below the selector, without details that differ between a chat and a note.
 */
function skeletonOf(chat: OpenedChat, selector: string): Promise<string[]> {
  return chat.page
    .locator(selector)
    .first()
    .evaluate((root) => {
      const KEPT = /^(?:callout|task-list|contains-task|is-checked|footnote|internal-link|tag$)/;
      const lines: string[] = [];
      const write = (node: Node, depth: number) => {
        if (node instanceof Text) {
          const text = node.data.replace(/\\s+/g, ' ').trim();
          if (text) lines.push(' '.repeat(depth) + text);
          return;
        }
        if (!(node instanceof Element) || node.matches('svg, button')) return;
        const classes = [...node.classList].filter((name) => KEPT.test(name)).sort();
        const isFrame = node.localName === 'div' && classes.length === 0;
        const name = node.localName === 'input' ? node.outerHTML.match(/checked/)?.[0] : '';
        if (!isFrame) lines.push(' '.repeat(depth) + [node.localName, ...classes, name].join('.'));
        for (const child of node.childNodes) write(child, depth + (isFrame ? 0 : 1));
      };
      write(root, 0);
      return lines.slice(1);
    });
}

test('an answer has the same element structure as the same text in a note', async () => {
  await using chat = await openChat({ ...said(NOTE), files: { 'Answer.md': NOTE } });
  await chat.send('Answer');
  await chat.idle();
  await chat.page.evaluate(async () => {
    const { app } = window as unknown as { app: import('obsidian').App };
    const file = app.vault.getFileByPath('Answer.md');
    const leaf = app.workspace.getLeaf(false);
    if (file) await leaf.openFile(file);
    await leaf.setViewState({ type: 'markdown', state: { file: 'Answer.md', mode: 'preview' } });
  });
  const reading = '.mod-root .markdown-rendered';
  await chat.page.locator(`${reading} .footnotes`).waitFor();
  // The last block is rendered one frame after the answer ends, and that may change earlier blocks.
  const inNote = await skeletonOf(chat, reading);
  await expect.poll(() => skeletonOf(chat, '.mod-right-split .markdown-rendered')).toEqual(inNote);
  await chat.checkLooks('answer-as-note');
  await chat.expectNoFaults();
});

test('an answer renders formulas, code, diagrams and embeds, and loads external pictures only on click', async () => {
  await using chat = await openChat({
    ...said(RICH),
    files: { 'Recipes/Embedded.md': '---\na: 1\n---\n## Inside\n\nSome $x$ words.\n' },
  });
  const { page, log } = chat;
  const asked: string[] = [];
  await page.route(/^https:/, (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  await chat.send('Answer');
  await chat.idle();
  await log.locator('.math.is-loaded mjx-container').waitFor();
  await log.locator('.token.keyword', { hasText: 'const' }).waitFor();
  await log.locator('.mermaid').getByText('Answer').waitFor();
  expect(await log.locator('.parley-copy').count()).toBe(2);
  await log.getByRole('button', { name: 'Recipes/Embedded' }).click();
  await log.getByRole('heading', { name: 'Inside' }).waitFor();
  expect(await log.getByText('a: 1').count()).toBe(0);
  await log.locator('.parley-embedded mjx-container').waitFor();
  await chat.checkLooks('answer-rich');
  expect(asked).toEqual([]);
  await log.getByRole('button', { name: /Show picture: A map/ }).click();
  await expect.poll(() => asked).toEqual(['https://tiles.example.com/map.png']);
  await chat.expectNoFaults('net::ERR_FAILED');
});

test('links in an answer open and preview notes, tags start a search, and footnotes link to their text and back', async () => {
  await using chat = await openChat({
    ...said(`${NOTE}\n\nSee [[Welcome]].`),
    files: { 'Tagged.md': '#travel/lisbon' },
  });
  const { page, log } = chat;
  await chat.send('Answer');
  await chat.idle();
  await page.evaluate(() => {
    const { app } = window as unknown as { app: import('obsidian').App };
    const told: unknown[] = [];
    Object.assign(window, { told });
    app.workspace.on(
      'hover-link' as 'quit',
      ((hover: { linktext: string }) => told.push(hover.linktext)) as never,
    );
  });
  const link = log.getByRole('link', { name: 'the list' });
  await link.hover();
  await expect
    .poll(() => page.evaluate(() => 'told' in window && window.told))
    .toContain('Lists/Shopping');
  await page.mouse.move(0, 0);
  await page.keyboard.down('Control');
  const previews = page.locator('.hover-popover');
  for (const name of ['the list', 'Welcome']) {
    await log.getByRole('link', { name, exact: true }).hover();
    await previews.filter({ hasText: name === 'Welcome' ? 'Welcome' : 'Shopping' }).waitFor();
  }
  expect(await previews.count()).toBe(1);
  await page.keyboard.up('Control');
  await link.click();
  await page.locator('.mod-root').getByText('Shopping').first().waitFor();
  await log.getByRole('link', { name: '#travel/lisbon' }).click();
  await page.locator('.mod-left-split').getByRole('link', { name: 'Tagged' }).waitFor();
  await log.getByRole('link', { name: '[2]' }).click();
  const back = log.locator('li', { hasText: 'The second.' }).getByRole('link', { name: 'Back' });
  expect(await back.evaluate((element) => element === document.activeElement)).toBe(true);
  await back.press('Enter');
  const number = log.getByRole('link', { name: '[2]' });
  expect(await number.evaluate((element) => element === document.activeElement)).toBe(true);
  await chat.expectNoFaults();
});

test('copying a selection across messages yields Markdown', async () => {
  await using chat = await openChat(said(RICH));
  const { page, log } = chat;
  await chat.send('Tell me *all*');
  await chat.idle();
  await log.locator('.math.is-loaded mjx-container').waitFor();
  await log.locator('.mermaid').waitFor();
  const copied = await log.evaluate((element) => {
    getSelection()?.selectAllChildren(element);
    const event = new ClipboardEvent('copy', {
      clipboardData: new DataTransfer(),
      ...{ bubbles: true, cancelable: true },
    });
    element.dispatchEvent(event);
    return event.clipboardData?.getData('text/plain');
  });
  expect(copied).toBe(`Tell me *all*\n\n${RICH}`);
  const part = await log.evaluate((element) => {
    const [first, last] = ['.math', 'a.internal-link'].map((name) => element.querySelector(name));
    if (!first || !last) return null;
    getSelection()?.setBaseAndExtent(first, 0, last, 1);
    const event = new ClipboardEvent('copy', {
      clipboardData: new DataTransfer(),
      ...{ bubbles: true, cancelable: true },
    });
    element.dispatchEvent(event);
    return event.clipboardData?.getData('text/plain');
  });
  expect(part).toMatch(/^\$\\frac\{1\}\{n\}\$, the code:\n\n```js\nconst a = 1;\n```/);
  expect(part).toMatch(/Last words, \[\[Lists\/Shopping\]\]$/);
  expect(await page.evaluate(() => getSelection()?.isCollapsed)).toBe(false);
  await chat.expectNoFaults();
});
