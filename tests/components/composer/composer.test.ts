import { cleanup, fireEvent, screen as page, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, test, vi } from 'vitest';
import type { Selection } from '#model/attachment';
import { Script } from '#workbench/gallery/script';
import type { ScriptedVault } from '#workbench/gallery/scripted-composing';
import { openChat } from '../chat';

const SELECTED: Selection = { kind: 'selection', path: 'Trip.md', text: 'a train', from: 2, to: 3 };
const READING = { note: 'Trip.md', selection: SELECTED };
const TODO = { kind: 'note', path: 'Lists/Todo.md' } as const;
const VAULT: ScriptedVault = {
  files: ['Lists/Todo.md', 'Lists/Shopping.md'],
  folders: ['Lists'],
};

const script = () => new Script('a').ask('Hello').step().say('Yes.').done('Yes.');
const area = () => page.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
const chips = () =>
  within(page.getByRole('list', { name: 'Attached context' }))
    .getAllByRole('listitem')
    .map((each) => each.textContent.trim());
const options = () => page.queryAllByRole('option');

describe('the list of mentions', () => {
  test('the list marks the selected entry and is moved through by keys', async () => {
    const { user } = await openChat([script()], { vault: VAULT });
    await user.type(area(), 'On @');
    expect(area()).toHaveAttribute('aria-activedescendant', options()[0]?.id);
    await user.keyboard('{ArrowUp}');
    expect(options().at(-1)).toHaveAttribute('aria-selected', 'true');
    await user.keyboard('{ArrowDown}{ArrowDown}{Tab}');
    expect(area()).toHaveValue('On [[Shopping]] ');
    expect(options()).toEqual([]);
    expect(area()).not.toHaveAttribute('aria-controls');
  });

  test('Escape closes the list there, and it opens again elsewhere', async () => {
    const { asked, user } = await openChat([script()], { vault: VAULT });
    await user.type(area(), '@t');
    await user.keyboard('{Escape}');
    expect(options()).toEqual([]);
    await user.type(area(), 'o');
    expect(options()).toEqual([]);
    await user.type(area(), ' and @to');
    expect(options().length).toBeGreaterThan(0);
    await user.keyboard('{Escape}{Enter}');
    expect(asked('send')).toMatchObject([{ text: '@to and @to' }]);
  });

  test('the list leaves keys to an input method', async () => {
    const { asked, user } = await openChat([script()], { vault: VAULT });
    await user.type(area(), '@to');
    for (const key of ['Enter', 'Tab', 'ArrowDown', 'Escape']) {
      expect(await fireEvent.keyDown(area(), { key, isComposing: true })).toBe(true);
      expect(await fireEvent.keyDown(area(), { key, keyCode: 229 })).toBe(true);
    }
    expect(options().length).toBeGreaterThan(0);
    expect(area()).toHaveValue('@to');
    expect(asked('send')).toEqual([]);
  });
});

describe('links', () => {
  const marked = () => [...document.querySelectorAll('mark')].map(({ textContent }) => textContent);

  test('two brackets open the list of notes, and the chosen one is attached and marked', async () => {
    const { asked, user } = await openChat([script()], { vault: VAULT });
    await user.type(area(), 'On [[[[');
    expect(options().map(({ textContent }) => textContent.trim())).toEqual([
      expect.stringMatching(/^Todo/),
      expect.stringMatching(/^Shopping/),
    ]);
    await user.type(area(), 'to');
    await user.keyboard('{Enter}');
    expect(area()).toHaveValue('On [[Todo]] ');
    expect(marked()).toEqual(['[[Todo]]']);
    await user.type(area(), 'now{Enter}');
    await expect.poll(() => asked('send')).toMatchObject([{ attachments: [TODO] }]);
  });

  test.each([
    ['[[Todo]]', TODO],
    ['[[todo|the list]]', TODO],
    ['[[Lists/Todo]]', TODO],
    ['[[Todo#later]]', { ...TODO, heading: 'Later' }],
  ])('a pasted %s is attached and marked', async (link, attachment) => {
    const vault = { ...VAULT, headings: { 'Lists/Todo.md': ['Now', 'Later'] } };
    const { asked, user } = await openChat([script()], { vault });
    await user.click(area());
    await user.paste(`What of ${link}?`);
    await expect.poll(marked).toEqual([link]);
    await user.keyboard('{Enter}');
    await expect.poll(() => asked('send')).toMatchObject([{ attachments: [attachment] }]);
  });

  test.each(['[[Nowhere]]', '[[Todo#Nowhere]]', '[[Todo'])(
    'a typed %s that names nothing is not attached and looks like text',
    async (link) => {
      const { asked, user } = await openChat([script()], { vault: VAULT });
      await user.click(area());
      await user.paste(`What of ${link} then?`);
      await user.keyboard('{Enter}');
      await expect.poll(() => asked('send')).toMatchObject([{ attachments: [] }]);
      expect(marked()).toEqual([]);
    },
  );

  test('a link that is sent at once is attached', async () => {
    const { agent, asked, user } = await openChat([script()], { vault: VAULT });
    const find = agent.composer.linkTargets.bind(agent.composer);
    let found: () => void = () => undefined;
    const isFound = new Promise<void>((resolve) => (found = resolve));
    agent.composer.linkTargets = (...given) => isFound.then(() => find(...given));
    await user.click(area());
    await user.paste('Sum up [[Todo]]');
    await user.keyboard('{Enter}');
    found();
    await expect.poll(() => asked('send')).toMatchObject([{ attachments: [TODO] }]);
  });

  test('a link is looked up once, however much is typed after it', async () => {
    const { agent, user } = await openChat([script()], { vault: VAULT });
    const find = vi.spyOn(agent.composer, 'linkTargets');
    await user.click(area());
    await user.paste('What of [[Todo]] and [[Nowhere]]');
    await user.type(area(), ' and so on');
    await expect.poll(marked).toEqual(['[[Todo]]']);
    expect(find).toHaveBeenCalledTimes(1);
  });

  test('of more links than a person means to attach, none is attached by itself', async () => {
    const names = Array.from({ length: 11 }, (_, at) => `Diary ${at}`);
    const vault = { ...VAULT, files: [...VAULT.files!, ...names.map((name) => `${name}.md`)] };
    const { asked, user } = await openChat([script()], { vault });
    await user.click(area());
    await user.paste(names.map((name) => `- [[${name}]]\n`).join(''));
    await user.type(area(), 'See [[[[Todo]] too');
    await expect.poll(marked).toEqual(['[[Todo]]']);
    await user.keyboard('{Enter}');
    await expect.poll(() => asked('send')).toMatchObject([{ attachments: [TODO] }]);
  });

  test('a link in text that the user has not written attaches nothing', async () => {
    const { asked, run, user } = await openChat([script()], { vault: VAULT });
    await run({ do: 'fill', text: 'Read [[Todo]]' });
    await user.type(area(), ' please{Enter}');
    await expect.poll(() => asked('send')).toMatchObject([{ attachments: [] }]);
  });

  test('the list says that there are no notes yet', async () => {
    const { user } = await openChat([script()], { vault: {} });
    await user.type(area(), '@');
    expect(await page.findByText('No notes yet')).toBeVisible();
    await user.keyboard('{Escape}');
    expect(page.queryByText('No notes yet')).toBeNull();
    expect(area()).toHaveValue('@');
  });

  test('commands are in groups until something is typed', async () => {
    const { user } = await openChat([script()], { vault: VAULT });
    await user.type(area(), '/');
    await expect.poll(() => options().length).toBeGreaterThan(0);
    const groups = [...page.getByRole('listbox').querySelectorAll('[role="presentation"]')];
    expect(groups.map(({ textContent }) => textContent)).toEqual([
      'Prompts',
      'This chat',
      'Undo and status',
      'Mode',
    ]);
    await user.type(area(), 'un');
    await expect.poll(() => document.querySelectorAll('[role="presentation"]')).toHaveLength(0);
  });
});

describe('attachments', () => {
  test('a command that needs no model is offered behind the slash and sent as it would be typed', async () => {
    const { asked, user } = await openChat([script()], { vault: VAULT });
    await user.type(area(), '/undo');
    await expect.poll(() => options().length).toBeGreaterThan(0);
    await user.keyboard('{Enter}');
    await expect.poll(() => asked('send')).toMatchObject([{ text: '/undo' }]);
    expect(area()).toHaveValue('');
  });

  test('attachments are shown, sent and then removed from the composer', async () => {
    const { asked, user } = await openChat([script()], { vault: VAULT, reading: READING });
    await user.type(area(), '@to');
    await user.keyboard('{Enter}');
    expect(chips()).toEqual(['Trip name only', 'Selection, lines 2–3']);
    await user.type(area(), 'now{Enter}');
    const sent = { text: '[[Todo]] now', activeNote: 'Trip.md', attachments: [SELECTED, TODO] };
    await expect.poll(() => asked('send')).toMatchObject([sent]);
    expect(chips()).toEqual(['Trip name only']);
  });

  test('a removed attachment stays removed until the user adds it again', async () => {
    const { asked, ui, user } = await openChat([script()], { reading: READING });
    await user.click(page.getByRole('button', { name: 'Remove Trip' }));
    await user.click(page.getByRole('button', { name: /Remove Selection/ }));
    expect(area()).toHaveFocus();
    ui.show({ note: 'Other.md', selection: { ...SELECTED, path: 'Other.md' } });
    await user.type(area(), 'Go{Enter}');
    expect(asked('send')).toMatchObject([{ activeNote: null, attachments: [] }]);
    expect(page.queryByRole('list', { name: 'Attached context' })).toBeNull();
    await user.click(page.getByRole('button', { name: 'Add context' }));
    const [, items] = ui.asked.at(-1) as [string, ({ title: string; run(): void } | null)[]];
    items.find((item) => item?.title === 'Include name only')?.run();
    await tick();
    expect(chips()).toEqual(['Other name only']);
  });

  test('a hidden note is never attached', async () => {
    await openChat([script()], { vault: { hidden: ['Trip.md'] }, reading: READING });
    await tick();
    expect(page.queryByRole('list', { name: 'Attached context' })).toBeNull();
  });

  test('attachments return with a stopped or unsaved message', async () => {
    const { agent, asked, user } = await openChat([script()], { vault: VAULT });
    const sending = agent.queue.send;
    agent.queue.send = async () => ({ ok: false, reason: 'The disk is full.' });
    await user.type(area(), '@to');
    await user.keyboard('{Enter}');
    await user.type(area(), 'now{Enter}');
    await expect.poll(() => area().value).toBe('[[Todo]] now');
    agent.queue.send = sending;
    await user.keyboard('{Enter}');
    await expect.poll(() => asked('send')).toMatchObject([{ attachments: [TODO] }]);
  });
});

describe('a mention', () => {
  test('a mention is attached while the text contains it, and has no chip', async () => {
    const { asked, user } = await openChat([script()], { vault: VAULT });
    await user.type(area(), 'On @to');
    await user.keyboard('{Enter}');
    expect(area()).toHaveValue('On [[Todo]] ');
    expect(page.queryByRole('list', { name: 'Attached context' })).toBeNull();
    await user.clear(area());
    await user.type(area(), 'On lists{Enter}');
    expect(asked('send')).toMatchObject([{ text: 'On lists', attachments: [] }]);
  });

  test('a mention is attached again when its text returns', async () => {
    const { asked, user } = await openChat([script()], { vault: VAULT });
    await user.type(area(), '@to');
    await user.keyboard('{Enter}');
    await fireEvent.input(area(), { target: { value: 'On [[Tod' } });
    await fireEvent.input(area(), { target: { value: 'On [[Todo]]' } });
    await user.type(area(), '{Enter}');
    await expect.poll(() => asked('send')).toMatchObject([{ attachments: [TODO] }]);
  });

  test('Backspace after a typed link removes a character', async () => {
    const { user } = await openChat([script()], { vault: VAULT });
    await user.click(area());
    await user.paste('On [[Todo]]');
    await expect.poll(() => document.querySelector('mark')).not.toBeNull();
    await user.keyboard('{Backspace}');
    expect(area()).toHaveValue('On [[Todo]');
  });

  test('Backspace after a mention removes it as a whole', async () => {
    const { user } = await openChat([script()], { vault: VAULT });
    await user.type(area(), 'On @to');
    await user.keyboard('{Enter}{Backspace}');
    expect(area()).toHaveValue('On [[Todo]]');
    await user.keyboard('{Backspace}');
    expect(area()).toHaveValue('On ');
  });

  test('a mention uses the path if two notes have the same name', async () => {
    const vault = { files: ['Lists/Todo.md', 'Work/Todo.md'] };
    const { user } = await openChat([script()], { vault });
    await user.type(area(), '@work');
    await user.keyboard('{Enter}');
    expect(area()).toHaveValue('[[Work/Todo]] ');
  });
});

describe('the open note', () => {
  const reading = { note: 'Trip.md', selection: null };

  test('the chip of the open note says that only its name is sent, and a click adds its text', async () => {
    const { asked, user } = await openChat([script()], { reading });
    expect(chips()).toEqual(['Trip name only']);
    await user.click(page.getByRole('button', { name: 'Trip' }));
    expect(chips()).toEqual(['Trip']);
    await user.type(area(), 'Go{Enter}');
    await expect
      .poll(() => asked('send'))
      .toMatchObject([{ activeNote: 'Trip.md', attachments: [{ kind: 'note', path: 'Trip.md' }] }]);
  });

  test('the add menu switches between the name and the full text of the open note', async () => {
    const { ui, user } = await openChat([script()], { reading });
    const choose = async (title: string) => {
      await user.click(page.getByRole('button', { name: 'Add context' }));
      ui.chooseFromMenu(title);
      await tick();
    };
    await choose('Include full text');
    expect(chips()).toEqual(['Trip']);
    await choose('Include name only');
    expect(chips()).toEqual(['Trip name only']);
    await choose('Include name only');
    expect(page.queryByRole('list', { name: 'Attached context' })).toBeNull();
  });
});

describe('a pasted picture', () => {
  const PASTED = 'Attachments/map.png';
  const paste = async () => {
    const file = new File(['x'], 'map.png', { type: 'image/png' });
    await fireEvent.paste(area(), { clipboardData: { files: [file] } });
    await page.findByRole('button', { name: 'Remove map.png' });
  };

  test('a pasted picture is shown on its chip', async () => {
    await openChat([script()], { pictures: { [PASTED]: 'data:image/png;base64,AA==' } });
    await paste();
    const chip = page.getByRole('list', { name: 'Attached context' });
    await expect
      .poll(() => chip.querySelector('img')?.getAttribute('src'))
      .toBe('data:image/png;base64,AA==');
  });

  test('removing a picture that was never sent removes its file', async () => {
    const { ui, user } = await openChat([script()]);
    await paste();
    await user.click(page.getByRole('button', { name: 'Remove map.png' }));
    expect(ui.asked).toContainEqual(['discardImported', PASTED]);
    expect(ui.asked).toContainEqual(['notice', `Moved ${PASTED} to the trash`]);
  });

  test('the file of a picture stays if it was not pasted, was sent, or is in a preset', async () => {
    const contextPresets = [
      { name: 'Map', attachments: [{ kind: 'note', path: PASTED } as const] },
    ];
    const { run, ui, user } = await openChat([script()]);
    await run({ do: 'attach', path: PASTED });
    await user.click(page.getByRole('button', { name: 'Remove map.png' }));
    await paste();
    await user.type(area(), 'Look{Enter}');
    await expect.poll(() => page.queryByRole('button', { name: 'Remove map.png' })).toBeNull();
    await run({ do: 'attach', path: PASTED });
    await user.click(page.getByRole('button', { name: 'Remove map.png' }));
    cleanup();
    const other = await openChat([script()], { settings: { contextPresets } });
    await paste();
    await other.user.click(page.getByRole('button', { name: 'Remove map.png' }));
    const discarded = [...ui.asked, ...other.ui.asked].filter(
      ([verb]) => verb === 'discardImported',
    );
    expect(discarded).toEqual([]);
  });

  test('a chosen file is attached', async () => {
    const { user } = await openChat([script()]);
    const file = new File(['Dear all'], 'letter.txt', { type: 'text/plain' });
    await user.upload(page.getByLabelText('Attach file or image…'), file);
    expect(await page.findByRole('button', { name: 'Remove letter.txt' })).toBeVisible();
  });
});

describe('text from a link', () => {
  const TEXT = 'Read https://a.example/page';

  test('the composer says that text came from a link until the user changes it', async () => {
    const { asked, run, user } = await openChat([script()]);
    await run({ do: 'fill', text: TEXT });
    expect(await page.findByText('From a link or prompt note')).toBeVisible();
    expect(area()).toHaveAccessibleDescription('From a link or prompt note');
    await user.type(area(), ' and sum it up');
    expect(page.getByText('From a link or prompt note')).toBeVisible();
    await user.keyboard('{Enter}');
    await expect.poll(() => asked('send')).toMatchObject([{ linked: [TEXT] }]);
    expect(page.queryByText('From a link or prompt note')).toBeNull();
  });

  test('text from a link that the user changed is the own text of the user', async () => {
    const { asked, run, user } = await openChat([script()]);
    await run({ do: 'fill', text: TEXT });
    await user.type(area(), '{Backspace}');
    expect(page.queryByText('From a link or prompt note')).toBeNull();
    await user.keyboard('{Enter}');
    await expect.poll(() => asked('send')).toMatchObject([{ text: TEXT.slice(0, -1), linked: [] }]);
  });
});

describe('built-in prompts', () => {
  test('a built-in prompt fills the composer with the open note and sends nothing', async () => {
    const reading = { note: 'Trip.md', selection: null };
    const { asked, user } = await openChat([script()], { reading });
    await user.type(area(), '/summ');
    await user.keyboard('{Enter}');
    expect(area().value).toMatch(/^Summarize \[\[Trip\]\]: the main points/);
    expect(asked('send')).toEqual([]);
    await user.keyboard('{Enter}');
    await expect
      .poll(() => asked('send'))
      .toMatchObject([{ attachments: [{ kind: 'note', path: 'Trip.md' }] }]);
  });

  test('a built-in prompt asks for a note if none is open', async () => {
    const { user } = await openChat([script()], { vault: VAULT });
    await user.type(area(), '/summ');
    await user.keyboard('{Enter}');
    await expect.poll(() => options().length).toBe(3);
    await user.keyboard('{Enter}');
    expect(area().value).toMatch(/^Summarize \[\[Todo\]\]: the main points/);
  });

  test('the commands lead to the folder of prompt notes until one is set', async () => {
    const { ui, user } = await openChat([script()]);
    await user.type(area(), '/add your');
    await user.keyboard('{Enter}');
    expect(ui.asked).toContainEqual(['openSettings', 'promptFolder']);
    cleanup();
    const other = await openChat([script()], { settings: { promptFolder: 'Prompts' } });
    await other.user.type(area(), '/add your');
    expect(options()).toEqual([]);
  });
});

describe('a long message', () => {
  const part = { name: 'Lists/Todo.md', tokens: 41_000 };
  const outlook = { parts: [part], message: 41_000, fixed: 5_000, history: 0, window: 200_000 };

  test('the context is estimated again only after what it depends on has changed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const estimated = vi.fn(() => ({ ...outlook }));
      const counting = Object.defineProperty({ ...VAULT }, 'outlook', { get: estimated });
      await openChat([script()], { vault: counting });
      await vi.advanceTimersByTimeAsync(60_000);
      expect(estimated).toHaveBeenCalledTimes(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a long message is sent once, after the user confirms', async () => {
    const { asked, user } = await openChat([script()], { vault: { ...VAULT, outlook } });
    await user.type(area(), '@to');
    await user.keyboard('{Enter}{Enter}');
    await page.findByText('This message is large (about 41,000 tokens).');
    expect(asked('send')).toEqual([]);
    await user.keyboard('{Escape}');
    expect(area()).toHaveFocus();
    await user.keyboard('{Enter}');
    await user.click(await page.findByRole('button', { name: 'Send anyway' }));
    expect(asked('send')).toHaveLength(1);
    expect(page.queryByRole('alertdialog')).toBeNull();
  });

  test('a message below the limit is sent without asking', async () => {
    const settings = { tokenWarning: 50_000 };
    const { asked, user } = await openChat([script()], { vault: { ...VAULT, outlook }, settings });
    await user.type(area(), '@to');
    await user.keyboard('{Enter}{Enter}');
    await expect.poll(() => asked('send')).toHaveLength(1);
  });
});

test('a preset keeps its scope, replaces one of the same name, and can be used again', async () => {
  const settings = { contextDepth: 2, contextPresets: [{ name: 'lists', attachments: [] }] };
  const { agent, run, user } = await openChat([script()], { vault: VAULT, settings });
  await run({ do: 'attach', path: TODO.path });
  await user.type(area(), '/save');
  await user.keyboard('{Enter}');
  await user.type(page.getByRole('textbox', { name: 'Preset name' }), 'Lists{Enter}');
  const attachments = [{ ...TODO, depth: 2 }];
  await expect
    .poll(() => agent.settings.current().contextPresets)
    .toEqual([{ name: 'Lists', attachments }]);
  await user.click(page.getByRole('button', { name: 'Remove Todo' }));
  await user.type(area(), '/lis');
  await user.keyboard('{Enter}');
  expect(chips()).toEqual(['Todo']);
});

describe('a prompt note', () => {
  const prompts = {
    'Prompts/Weekly review.md': 'Go through this week.\n\n- What is left?',
    'Prompts/Letters/Thanks.md': 'Write a letter to',
  };
  const settings = { promptFolder: 'Prompts' };
  const vault = { ...VAULT, prompts };

  test('a prompt note is offered by name and folder, and its text is inserted', async () => {
    const { user } = await openChat([script()], { vault, settings });
    await user.type(area(), '/');
    await expect.poll(() => options().length).toBeGreaterThan(1);
    const words = options().map(({ textContent }) => textContent.trim().replace(/\s+/g, ' '));
    expect(words).toContain('Weekly review');
    expect(words).toContain('Thanks Letters');
    await user.type(area(), 'thanks');
    await user.keyboard('{Enter}');
    await expect.poll(() => area().value).toBe('Write a letter to ');
    await user.type(area(), 'Ines');
    expect(area()).toHaveValue('Write a letter to Ines');
  });

  test('the words of a prompt note count as the user’s once they are changed', async () => {
    const { asked, user } = await openChat([script()], { vault, settings });
    for (const isChanged of [false, true]) {
      await user.type(area(), '/thanks');
      await user.keyboard('{Enter}');
      await expect.poll(() => area().value).toBe('Write a letter to ');
      await user.type(area(), isChanged ? '{Backspace}{Backspace}{Enter}' : 'Ines{Enter}');
    }
    await expect.poll(() => asked('send')).toHaveLength(2);
    const linked = asked('send').map((each) => (each as { linked?: unknown }).linked);
    expect(linked).toEqual([['Write a letter to'], []]);
  });

  test('an unreadable prompt note is reported and never edits', async () => {
    const { agent, ui, user } = await openChat([script()], { vault, settings });
    agent.composer.promptText = async () => null;
    await user.type(area(), '/week');
    await user.keyboard('{Enter}');
    await expect
      .poll(() => ui.asked)
      .toContainEqual(['notice', 'That note can’t be read anymore.']);
    expect(area()).toHaveValue('/week');
  });

  test('a prompt note does not overwrite text typed meanwhile', async () => {
    const { agent, user } = await openChat([script()], { vault, settings });
    let give: (text: string) => void = () => undefined;
    agent.composer.promptText = () => new Promise((resolve) => (give = resolve));
    await user.type(area(), '/week');
    await user.keyboard('{Enter}');
    await user.type(area(), ' mine');
    give('Go through this week.');
    await tick();
    expect(area()).toHaveValue('/week mine');
  });
});

test('a saved draft is restored with its attachments', async () => {
  const saved = {
    text: 'Half',
    attachments: [TODO],
    withoutNote: true,
    withoutSelection: false,
    imported: [],
  };
  const made = script();
  const vault = { ...VAULT, drafts: new Map([[made.id, saved]]) };
  const { agent, user } = await openChat([made], { vault, reading: READING });
  expect(area()).toHaveValue('Half');
  expect(chips()).toEqual(['Selection, lines 2–3', 'Todo']);
  await user.type(area(), ' a thought');
  expect(agent.composer.kept.get(made.id)).toEqual({ ...saved, text: 'Half a thought' });
});
