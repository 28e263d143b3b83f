/** The numbers of an answer, and the card with the passage behind a number. */
import { fireEvent, screen, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Passage } from '#model/passage';
import { sourceKey, sourceLinesIn, withoutSourceMarks } from '#text/source-marks';
import { pagePassage, passageOf } from '#tests/builders/passages';
import { cases } from '#tests/cases';
import { Script } from '#workbench/gallery/script';
import { openChat, type OpenedChat } from '../chat';

const TOMATOES = '# Tomatoes\n\n## Sowing\n\n- Sow **indoors** in March.\n- Plant out in May.\n';
const tomatoes = passageOf(
  'Garden/Tomatoes.md',
  TOMATOES,
  '- Sow **indoors** in March.\n- Plant out in May.',
);
const basil = passageOf('Garden/Herbs.md', 'Basil: May\n', 'Basil: May');
const sameLines: Passage = { ...tomatoes, key: 'Garden/Tomatoes.md:5-6' };

function answered(text: string, ...passages: readonly Passage[]): Script {
  return new Script('a')
    .ask('When?')
    .step()
    .cite(...passages)
    .say(text)
    .done(withoutSourceMarks(text));
}

function answerText(): string {
  const answers = document.querySelectorAll('.markdown-rendered');
  return [...answers].at(-1)?.textContent?.trim() ?? '';
}

const numbers = () => screen.queryAllByRole('link', { name: /^Source/ });

/** @returns brings all that is watched into view */
function viewOfAll(): () => void {
  const seen: IntersectionObserverCallback[] = [];
  const observer = vi.fn(function (this: unknown, changed: IntersectionObserverCallback) {
    seen.push(changed);
    return { observe: () => undefined, disconnect: () => undefined };
  });
  vi.stubGlobal('IntersectionObserver', observer);
  onTestFinished(() => void vi.unstubAllGlobals());
  const entries = [{ isIntersecting: true } as IntersectionObserverEntry];
  return () => {
    for (const see of seen) see(entries, {} as IntersectionObserver);
  };
}

describe('the numbers of an answer', () => {
  test('a number takes the place of a mark, and claims from one passage share it', async () => {
    const text =
      'March [@Tomatoes:5-6]. Basil [@Herbs:1]. Outdoors [@Garden/Tomatoes.md:5-6]. Both [@Herbs:1] [@Tomatoes:5-6]';
    await openChat([answered(text, tomatoes, basil, sameLines)]);
    expect(answerText()).toBe('March1. Basil2. Outdoors1. Both21');
  });

  test('a number says what it stands for', async () => {
    await openChat([answered('March [@Tomatoes:5-6], May [@Herbs:1].', tomatoes, basil)]);
    const [first, second] = numbers();
    expect(first).toHaveAccessibleName('Source 1: Tomatoes, Sowing');
    expect(first).toHaveAccessibleDescription('Sow indoors in March. Plant out in May.');
    expect(second).toHaveAccessibleName('Source 2: Herbs');
  });

  test('a mark that names nothing leaves nothing behind', async () => {
    await openChat([answered('March [@Peas:3]. May [@Herbs:1].', basil)]);
    expect(answerText()).toBe('March. May1.');
  });

  test('a mark that names nothing takes the emphasis around it along', async () => {
    await openChat([answered('March **[@Peas:3]**. May *[@Herbs:1]*, *so [@Herbs:1]*.', basil)]);
    expect(answerText()).toBe('March. May1, so1.');
    expect(document.querySelectorAll('.markdown-rendered strong')).toHaveLength(0);
    expect(document.querySelectorAll('.markdown-rendered em')).toHaveLength(1);
  });

  test.each([
    ['a block of HTML', '<div>\nMay [@Herbs:1] [@Peas:3]\n</div>'],
    ['the name of a picture', '![May [@Herbs:1]](https://a.example/b.png)'],
    ['the name of an embedded note', '![May [@Herbs:1]](Map.md)'],
    ['the title of a link', 'May [@Herbs:1]. [x](https://a.example "x [@Herbs:1]")'],
    ['a small HTML element', 'May <kbd>M [@Herbs:1]</kbd>'],
  ])('a mark in %s is drawn, too', async (_, text) => {
    await openChat([answered(text, basil)]);
    expect(numbers()).toHaveLength(1);
    expect(document.querySelector('.markdown-rendered')!.outerHTML).not.toMatch(/\[@/);
  });

  test('a mark without lines is left out and counted if the chat has a file of that name', async () => {
    await openChat([answered('March [@Herbs.md]. May [@Herbs:1]. See [@peas2004].', basil)]);
    expect(answerText()).toBe('March. May1. See [@peas2004].');
    expect(screen.getByText('1 mark named nothing and was removed')).toBeVisible();
  });

  test('a citation key that a note or the user has is text', async () => {
    const script = new Script('a').ask('Who says [@miller:1999]?').step();
    script.call('read_file', { path: 'Paper.md' }, '1: Warm soil [@smith:2004, p. 3].').step();
    const text = 'As [@smith:2004, p. 3] and [@miller:1999] say, not [@peas:2004] [@Herbs:1].';
    await openChat([script.cite(basil).say(text).done(withoutSourceMarks(text))]);
    expect(answerText()).toBe('As [@smith:2004, p. 3] and [@miller:1999] say, not1.');
    expect(screen.getByText('1 mark named nothing and was removed')).toBeVisible();
  });

  test('a mark is counted once a later turn has shown the note that it names', async () => {
    const script = answered('May [@Garden plan].');
    const chat = await openChat([script]);
    expect(answerText()).toBe('May [@Garden plan].');
    const plan = passageOf('Garden plan.md', 'Beds\n', 'Beds');
    script.ask('And the beds?').step().cite(plan).say('Two [@Garden plan:1].').done('Two.');
    await chat.frame();
    const drawn = [...document.querySelectorAll('.markdown-rendered')];
    expect(drawn.map(({ textContent }) => textContent?.trim())).toContain('May.');
    expect(screen.getByText('1 mark named nothing and was removed')).toBeVisible();
  });

  test('a number in view shows that its source has changed since, also in words', async () => {
    const see = viewOfAll();
    const script = answered('March [@Tomatoes:5-6], May [@Herbs:1].', tomatoes, basil);
    const { agent } = await openChat([script]);
    agent.checks.set(basil.key, { kind: 'gone', path: null });
    see();
    await expect
      .poll(() => numbers().map((each) => each.getAttribute('aria-label')))
      .toEqual(['Source 1: Tomatoes, Sowing', 'Source 2: Herbs, changed since']);
    expect(screen.getByText('2 sources')).toBeVisible();
  });

  test('a mark in code is text', async () => {
    const text = 'Write `[@Herbs:1]`.\n\n```\n[@Herbs:1]\n```';
    await openChat([answered(text, basil)]);
    expect(numbers()).toEqual([]);
    expect(answerText()).toBe('Write [@Herbs:1].\n[@Herbs:1]');
  });

  test('a mark after a backslash is text', async () => {
    await openChat([answered('Write \\[@Herbs:1].', basil)]);
    expect(numbers()).toEqual([]);
    expect(answerText()).toBe('Write [@Herbs:1].');
  });

  test('numbers are drawn in tables, lists and headings', async () => {
    const text = '# Sow [@Herbs:1]\n\n- May [@Herbs:1]\n\n| a |\n|---|\n| May [@Herbs:1] |';
    await openChat([answered(text, basil)]);
    expect(numbers()).toHaveLength(3);
    for (const number of numbers()) expect(number).toHaveAccessibleName('Source 1: Herbs');
  });

  test('a copied part of an answer has links in place of its numbers', async () => {
    await openChat([answered('- March [@Tomatoes:5-6]\n- May [@Herbs:1]', tomatoes, basil)]);
    const log = screen.getByRole('log');
    document.getSelection()?.selectAllChildren(log.querySelector('.markdown-rendered')!);
    const copied = new Map<string, string>();
    const clipboardData = { setData: (kind: string, text: string) => copied.set(kind, text) };
    await fireEvent.copy(log, { clipboardData });
    expect(copied.get('text/plain')).toBe(
      '- March ([[Garden/Tomatoes#Sowing|Tomatoes]])\n- May ([[Garden/Herbs|Herbs]])',
    );
  });
});

const CLAIMS = ['Sow it in May', 'They like **warmth**', 'A line[', 'See [[Herbs]]', 'x [y'];
const MARKS = [' [@Tomatoes:5-6]', '[@Herbs:1]', ' [@Peas:3]', ' [@Garden/Tomatoes.md:5-6]', ''];

test('a streaming answer only grows: no mark moves or changes what was drawn before', async () => {
  const claim = fc.tuple(
    fc.constantFrom(...CLAIMS),
    fc.constantFrom(...MARKS),
    fc.constantFrom('. ', ', ', '\n\n'),
  );
  const answers = fc.array(claim, { minLength: 1, maxLength: 6 }).map((all) => all.flat().join(''));
  const sizes = fc.integer({ min: 2, max: 20 });
  const script = new Script('a');
  const chat = await openChat([script]);
  await fc.assert(
    fc.asyncProperty(answers, sizes, async (text, size) => {
      script.ask('When?').step();
      const unknown = new Set([tomatoes, basil, sameLines]);
      let before = '';
      for (let at = 0; at < text.length; at += size) {
        const grown = text.slice(0, at + size);
        for (const each of unknown) {
          if (!sourceLinesIn(grown).some((lines) => sourceKey(lines) === each.key)) continue;
          unknown.delete(each);
          script.cite(each);
        }
        script.delta({ type: 'text', text: text.slice(at, at + size) });
        await chat.frame();
        // The last words may turn out to be bold or a link.
        const settled = before.replace(/(?:\*|\[)+[^*[]*$/, '').trimEnd();
        before = answerText();
        expect(before.startsWith(settled), `${settled}\n→ ${before}`).toBe(true);
        expect(before).not.toMatch(/\[@/);
      }
      script.say(text).done(withoutSourceMarks(text));
      await chat.frame();
    }),
    { numRuns: Math.ceil(cases.numRuns / 25) },
  );
});

describe('the card of a number', () => {
  const open = () =>
    openChat([answered('March [@Tomatoes:5-6], May [@Herbs:1].', tomatoes, basil)]);
  const card = () => screen.queryByRole('tooltip');

  async function focusNumber(chat: OpenedChat): Promise<void> {
    while (document.activeElement !== numbers()[0]) await chat.user.tab();
  }

  test('the card shows the note, the heading and the words on hover and on focus', async () => {
    const chat = await open();
    expect(card()).toBeNull();
    await chat.user.hover(numbers()[0]!);
    expect(card()).toHaveTextContent(/Tomatoes › Sowing.*Sow indoors in March/);
    await chat.user.hover(numbers()[1]!);
    expect(card()).toHaveTextContent(/Herbs.*Basil: May/);
    numbers()[0]!.focus();
    await tick();
    expect(card()).toHaveTextContent(/Tomatoes/);
  });

  test('the card stays while the pointer is on it, and goes with it', async () => {
    await open();
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    await fireEvent.mouseOver(numbers()[0]!);
    await fireEvent.mouseOut(numbers()[0]!);
    await fireEvent.mouseEnter(card()!);
    vi.runAllTimers();
    await tick();
    expect(card()).not.toBeNull();
    await fireEvent.mouseLeave(card()!);
    vi.runAllTimers();
    await tick();
    expect(card()).toBeNull();
  });

  test('Enter opens the note at the line', async () => {
    const chat = await open();
    numbers()[0]!.focus();
    await chat.user.keyboard('{Enter}');
    await expect
      .poll(() => chat.ui.asked.at(-1))
      .toEqual(['openNote', 'Garden/Tomatoes.md', 'here', 5]);
    expect(card()).toBeNull();
    await chat.user.keyboard('{Control>}');
    await chat.user.click(numbers()[1]!);
    await expect
      .poll(() => chat.ui.asked.at(-1))
      .toEqual(['openNote', 'Garden/Herbs.md', 'tab', 1]);
  });

  test('the number of a web page is a link to it', async () => {
    const page = pagePassage();
    await openChat([answered('Warmth [@Growing basil:2].', page)]);
    const [number] = numbers();
    expect(number).toHaveAccessibleName('Source 1: Growing basil');
    expect(number).toHaveAttribute('href', page.url);
    expect(number).toHaveAttribute('target', '_blank');
  });

  test('Escape closes the card and does nothing else', async () => {
    const script = new Script('a').ask('When?').step().cite(basil);
    const chat = await openChat([script.delta({ type: 'text', text: 'May [@Herbs:1].' })]);
    numbers()[0]!.focus();
    await tick();
    expect(card()).not.toBeNull();
    await chat.user.keyboard('{Escape}');
    expect(card()).toBeNull();
    expect(numbers()[0]).toHaveFocus();
    expect(chat.asked('stop')).toEqual([]);
    await chat.user.keyboard('{Escape}');
    expect(chat.asked('stop')).toHaveLength(1);
  });

  test('Tab reaches a number', async () => {
    await focusNumber(await open());
    expect(within(card()!).getByText('Tomatoes')).toBeTruthy();
  });
});

describe('the sources at the end of an answer', () => {
  const open = () =>
    openChat([answered('March [@Tomatoes:5-6], May [@Herbs:1], red [@Peas:3].', tomatoes, basil)]);
  const line = (text: string) => screen.getByText(text);
  const check = (chat: OpenedChat) =>
    chat.user.click(screen.getByRole('button', { name: 'Check this answer' }));
  const rows = () => [...screen.getByRole('list', { name: 'Sources' }).children] as HTMLElement[];

  test('a line says how many there are, opens their list, and counts wrong marks', async () => {
    const chat = await open();
    expect(line('1 mark named nothing and was removed')).toBeVisible();
    await chat.user.click(line('2 sources'));
    expect(rows()[0]).toHaveTextContent(/1.*Tomatoes › Sowing.*Sow indoors/);
    await chat.user.click(within(rows()[1]!).getByRole('button'));
    await expect
      .poll(() => chat.ui.asked.at(-1))
      .toEqual(['openNote', 'Garden/Herbs.md', 'here', 1]);
  });

  test('an answer without sources has no line and nothing to check', async () => {
    await openChat([answered('March.')]);
    expect(screen.queryByText(/source/)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Check this answer' })).toBeNull();
  });

  test('a check that finds nothing stays a line', async () => {
    const chat = await open();
    await check(chat);
    expect(line('All 2 sources are unchanged').closest('details')).not.toHaveAttribute('open');
  });

  test('the list says the same as the numbers when a checked source changes later', async () => {
    const see = viewOfAll();
    const chat = await open();
    await check(chat);
    expect(line('All 2 sources are unchanged')).toBeVisible();
    chat.agent.checks.set(basil.key, { kind: 'gone', path: null });
    see();
    await expect.poll(() => numbers()[1]?.getAttribute('aria-label')).toMatch(/changed since/);
    expect(line('1 gone, 1 unchanged')).toBeVisible();
    expect(rows()[1]).toHaveTextContent('The note is gone');
  });

  test('the answer of an earlier check does not replace that of a later one', async () => {
    const see = viewOfAll();
    const chat = await open();
    const { sources } = chat.agent;
    const now = sources.check.bind(sources);
    const earlier = await now([tomatoes, basil]);
    let answerEarlier: () => void = () => undefined;
    sources.check = () => new Promise((done) => (answerEarlier = () => done(earlier)));
    see();
    sources.check = now;
    chat.agent.checks.set(basil.key, { kind: 'gone', path: null });
    await check(chat);
    answerEarlier();
    await tick();
    expect(line('1 gone, 1 unchanged')).toBeVisible();
  });

  test('a check shows both texts of a changed passage, and what moved or is gone', async () => {
    const chat = await open();
    const now = '- Sow **indoors** in April.\n- Plant out in May.';
    const { path } = tomatoes;
    chat.agent.checks.set(tomatoes.key, { kind: 'changed', path, first: 9, last: 10, now });
    chat.agent.checks.set(basil.key, { kind: 'gone', path: null });
    await check(chat);
    expect(line('1 changed, 1 gone').closest('details')).toHaveAttribute('open');
    const [changed, gone] = rows();
    expect(changed).toHaveTextContent('Changed since');
    await expect.poll(() => changed?.querySelector('del')?.textContent).toMatch(/March/);
    expect(changed?.querySelector('ins')?.textContent).toMatch(/April/);
    expect(gone).toHaveTextContent('The note is gone');
    const [first] = within(changed!).getAllByRole('button');
    await chat.user.click(first!);
    expect(chat.ui.asked.at(-1)).toEqual(['openNote', path, 'here', 9]);
    await chat.user.click(within(gone!).getByRole('button'));
    expect(chat.ui.asked.at(-1)).toEqual(['notice', 'The note is gone']);
  });

  test('a number leads to where its passage is now, and its card says so', async () => {
    const chat = await open();
    const { path } = tomatoes;
    chat.agent.checks.set(tomatoes.key, { kind: 'moved', path, first: 40, last: 41 });
    chat.agent.checks.set(basil.key, { kind: 'gone', path: basil.path });
    numbers()[0]!.focus();
    const card = () => screen.getByRole('tooltip');
    await expect.poll(() => card().textContent).toContain('Moved to line 40');
    await chat.user.keyboard('{Enter}');
    await expect.poll(() => chat.ui.asked.at(-1)).toEqual(['openNote', path, 'here', 40]);
    numbers()[1]!.focus();
    await expect.poll(() => card().textContent).toContain('No longer in the note');
  });

  test('a check that fails says so', async () => {
    const chat = await open();
    chat.agent.sources.check = async () => ({ ok: false, reason: 'The vault is locked.' });
    await check(chat);
    expect(chat.ui.asked.at(-1)).toEqual(['notice', 'The vault is locked.']);
    expect(line('2 sources')).toBeVisible();
  });

  test('notes that are sources already are not listed as read', async () => {
    const read = { kind: 'read', paths: [tomatoes.path, 'Garden/Beds.md'] } as const;
    const script = new Script('a').ask('When?').step().call('read_file', {}, '', { details: read });
    script.stepEnd().step().cite(tomatoes).say('March [@Tomatoes:5-6].').done('March.');
    await openChat([script]);
    const also = within(screen.getByRole('list', { name: 'Also read' }));
    expect(also.getAllByRole('button').map(({ textContent }) => textContent?.trim())).toEqual([
      'Beds',
    ]);
  });
});
