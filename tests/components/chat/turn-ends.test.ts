import { fireEvent, screen as page, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, test, vi } from 'vitest';
import { Script } from '#workbench/gallery/script';
import { SCENES } from '#workbench/gallery/scenes';
import { openChat, type OpenedChat } from '../chat';
import { eventually } from '#tests/builders/eventually';

function answered(script = new Script('a'), text = 'Added **milk**.'): Script {
  return script.ask('Add milk').step().say(text).done(text);
}

describe('the answer toolbar', () => {
  /** Chooses from the menu "Save to…" of the last answer. */
  async function save({ ui, user }: OpenedChat, choice: string) {
    await user.click(page.getAllByRole('button', { name: 'Save to…' }).at(-1) as HTMLElement);
    ui.chooseFromMenu(choice);
  }

  test("the menu puts the answer's Markdown at the cursor, below the note or into a new note", async () => {
    const chat = await openChat([answered()]);
    for (const name of ['Insert at cursor', 'Append to current note', 'New note']) {
      await save(chat, name);
      await tick();
    }
    const put = chat.ui.asked.filter(([verb]) => verb === 'putText').map(([, ...given]) => given);
    expect(put).toEqual(['cursor', 'end', 'new'].map((goal) => ['Added **milk**.', goal]));
  });

  test('every answer has the same toolbar, and the last one can be asked for again', async () => {
    await openChat([answered(answered())]);
    const toolbars = page
      .getAllByRole('button', { name: 'Copy answer' })
      .map(({ parentElement }) => within(parentElement as HTMLElement).getAllByRole('button'));
    for (const buttons of toolbars) {
      expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual([
        ...['Copy answer', 'Regenerate', 'Save to…', 'Model and cost'],
      ]);
    }
    expect(toolbars).toHaveLength(2);
  });

  test('the toolbar reports why the answer could not be put into a note', async () => {
    const chat = await openChat([answered()]);
    chat.ui.putText = async () => 'Open the note first.';
    await save(chat, 'Append to current note');
    await tick();
    expect(chat.ui.asked).toContainEqual(['notice', 'Open the note first.']);
  });

  test('a turn without an answer has no toolbar', async () => {
    await openChat(SCENES['stopped-writing']?.().scripts ?? []);
    expect(page.getByText('Stopped.')).toBeVisible();
    expect(page.getByText('Did not write')).toBeInTheDocument();
    expect(page.queryByRole('button', { name: 'Copy answer' })).toBeNull();
    expect(page.queryByRole('button', { name: 'Save to…' })).toBeNull();
  });

  test('notes read are linked, and many of them are folded', async () => {
    const { ui, user } = await openChat(SCENES['consulted']?.().scripts ?? []);
    const chips = within(page.getByRole('list', { name: 'Sources' }));
    expect(chips.getAllByRole('button').map(({ textContent }) => textContent.trim())).toEqual([
      ...['Lisbon trip', 'Porto', 'Azores', '2026-03-02', '2026-03-09', '3 more'],
    ]);
    await user.hover(chips.getByRole('button', { name: 'Porto' }));
    await user.click(chips.getByRole('button', { name: 'Porto' }));
    expect(ui.asked).toContainEqual(['previewNote', 'Projects/Porto.md']);
    expect(ui.asked).toContainEqual(['openNote', 'Projects/Porto.md', 'here']);
    await user.click(chips.getByRole('button', { name: '3 more' }));
    expect(chips.getAllByRole('button')).toHaveLength(8);
  });
});

describe('the last answer', () => {
  test('commands use the last answer, even if it is too far up to be drawn', async () => {
    // As in a browser, which reports what comes near.
    vi.stubGlobal('ContentVisibilityAutoStateChangeEvent', Event);
    const script = answered(answered(), 'Added **honey**.');
    for (let at = 0; at < 4; at += 1) script.ask('And?').step().end({ kind: 'stopped', reply: '' });
    const { run, ui } = await openChat([script]);
    expect(page.queryByRole('button', { name: 'Copy answer' })).toBeNull();
    await run({ do: 'copy-answer' });
    await run({ do: 'show-chats' });
    for (const goal of ['cursor', 'end', 'new'] as const) await run({ do: 'put-answer', goal });
    expect(ui.asked.filter(([verb]) => /copy|notice|putText/.test(String(verb)))).toEqual([
      ['copy', 'Added **honey**.'],
      ['notice', 'Answer copied'],
      ...['cursor', 'end', 'new'].map((goal) => ['putText', 'Added **honey**.', goal]),
    ]);
    expect(page.getByRole('log')).toBeVisible();
    ui.copy = () => Promise.reject(new Error('no'));
    await run({ do: 'copy-answer' });
    expect(ui.asked.at(-1)).toEqual(['notice', 'The clipboard is not available.']);
    vi.unstubAllGlobals();
  });

  test('commands report that there is no answer yet', async () => {
    const { run, ui } = await openChat([new Script('a').ask('Add milk').step()]);
    await run({ do: 'copy-answer' });
    expect(ui.asked.at(-1)).toEqual(['notice', 'There is no answer to copy yet.']);
  });
});

describe('an earlier message', () => {
  const field = () => page.getByRole('textbox', { name: 'Your message' });

  test.each([{ isComposing: true }, { keyCode: 229 }])(
    'Escape during a composition, reported as %j, keeps the text of a message being reworded',
    async (composition) => {
      const { user } = await openChat([answered()]);
      await user.click(page.getByRole('button', { name: 'Edit and ask again' }));
      await user.type(field(), ' and honey');
      for (const key of ['Escape', 'Enter']) {
        await fireEvent.keyDown(field(), { key, ...composition });
        expect(field()).toHaveFocus();
      }
      await fireEvent.keyDown(field(), { key: 'Escape' });
      expect(page.queryByRole('textbox', { name: 'Your message' })).toBeNull();
    },
  );

  test('a message being reworded stays so while other pages and chats are shown', async () => {
    const { run, screen, user } = await openChat([answered(), answered(new Script('b'))]);
    await user.click(page.getByRole('button', { name: 'Edit and ask again' }));
    expect(field()).toHaveFocus();
    await user.type(field(), ' and honey');
    for (const place of ['show-chats', 'show-edits', 'show-usage'] as const) {
      await run({ do: place });
      expect(page.queryByRole('textbox', { name: 'Your message' })).toBeNull();
      await user.keyboard('{Escape}');
      await tick();
    }
    const { id } = screen;
    const [other] = screen.panel.conversations.list.filter((each) => each.id !== id);
    await run({ do: 'open', conversation: other!.id });
    expect(page.queryByRole('textbox', { name: 'Your message' })).toBeNull();
    await run({ do: 'open', conversation: id! });
    expect(field()).toHaveValue('Add milk and honey');
    // The focus returns to where it was.
    expect(field()).not.toHaveFocus();
    await user.click(page.getByRole('button', { name: 'Cancel' }));
    await run({ do: 'show-chats' });
    await run({ do: 'open', conversation: id! });
    expect(page.queryByRole('textbox', { name: 'Your message' })).toBeNull();
  });
});

describe('asking again for another answer', () => {
  const ask = () => page.getByRole('button', { name: 'Regenerate' }).click();

  async function openBranches() {
    const chat = await openChat(SCENES['branches']?.().scripts ?? []);
    const { id, panel } = chat.screen;
    const other = panel.conversations.list.find((each) => each.id !== id);
    const show = async (conversation = id) => {
      if (conversation) await chat.run({ do: 'open', conversation });
      await tick();
    };
    return { ...chat, show, other: other?.id ?? null };
  }

  test('asking again happens once, even when the user comes back to the earlier answer later', async () => {
    const { asked, other, show } = await openBranches();
    ask();
    await eventually(() => expect(asked('fork')).toHaveLength(1));
    await show(other);
    expect(page.getByText('1 of 2')).toBeVisible();
    await show();
    expect(page.getByText('2 of 2')).toBeVisible();
    expect(asked('fork')).toHaveLength(1);
  });

  test('asking again happens once when it is clicked again before the new answer is shown', async () => {
    const { agent, asked } = await openBranches();
    const { fork } = agent.conversations;
    let answer = () => {};
    agent.conversations.fork = async (request) => {
      const forked = await fork(request);
      await new Promise<void>((resolve) => (answer = resolve));
      return forked;
    };
    ask();
    await eventually(() => expect(asked('fork')).toHaveLength(1));
    ask();
    await tick();
    answer();
    await tick();
    expect(asked('fork')).toHaveLength(1);
  });

  test('asking again does nothing when the user has opened another answer meanwhile', async () => {
    const { agent, asked, other, show } = await openBranches();
    let know = () => {};
    agent.changes.undoneAmong = () => new Promise((resolve) => (know = () => resolve(new Set())));
    ask();
    await show(other);
    know();
    await tick();
    expect(asked('fork')).toEqual([]);
  });
});

describe('the cost of an answer', () => {
  const info = () => page.getByRole('button', { name: 'Model and cost' });

  test('the model and the cost by step are behind a button', async () => {
    const { user } = await openChat(SCENES['consulted']?.().scripts.slice(0, 1) ?? []);
    expect(page.queryByText(/tokens|\$/)).toBeNull();
    await user.click(page.getAllByRole('button', { name: 'Model and cost' })[0] as HTMLElement);
    expect(page.getByText('Haiku 4.5', { selector: '.parley-card *' })).toBeVisible();
    const rows = within(page.getByRole('table')).getAllByRole('row');
    const cells = rows.map(({ children }) => [...children].map(({ textContent }) => textContent));
    expect(cells).toEqual([
      ['Model call', 'Tokens', 'Cached', 'Cost'],
      ['1', '6.5k', '84%', '$0.0032'],
      ['2, answer', '6.5k', '84%', '$0.0032'],
      ['Total', '13.1k', '84%', '$0.0065'],
    ]);
  });

  test('the setting shows the cost at once, in tokens if the price is unknown', async () => {
    const settings = { showCost: true };
    const { panel } = await openChat([answered(new Script('a').by('llama4'))], { settings });
    expect(page.getByText(/tokens/)).toHaveTextContent(/^6\.5k tokens, 84% cached$/);
    const price = { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 };
    await panel.settings.set({ prices: { llama4: price } });
    await tick();
    expect(page.getByText(/tokens/)).toHaveTextContent(/^≈ \$0\.0065, 6\.5k tokens/);
    await panel.settings.set({ showCost: false });
    await tick();
    expect(page.queryByText(/tokens/)).toBeNull();
  });

  test('the cost links to usage by day, and back', async () => {
    const usage = SCENES['usage']?.().usage ?? [];
    const { user } = await openChat([answered()], { usage });
    await user.click(info());
    await user.click(page.getByRole('button', { name: 'Usage by day' }));
    expect(page.getByRole('img', { name: /most on/ })).toBeVisible();
    await user.click(page.getByRole('button', { name: 'Back to the chat' }));
    expect(page.getByRole('log')).toBeVisible();
  });
});

describe('between two messages', () => {
  test('a line marks and explains a change of the open note, and nothing else', async () => {
    const script = answered(answered(new Script('a').beside('A.md')));
    answered(script.beside('Travel/B.md').by('claude-sonnet-5-5'));
    answered(script.beside(null));
    await openChat([script]);
    const lines = page.getAllByTitle(/^You opened another note\./);
    expect(lines.map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim())).toEqual([
      'You were in B',
      'No note was open',
    ]);
  });
});

describe('usage', () => {
  test('usage is shown as a chart and a table, in money or tokens', async () => {
    const { scripts = [], ...scene } = SCENES['usage']?.() ?? {};
    const { user } = await openChat(scripts, scene);
    expect(await page.findByRole('img', { name: /^\$2\.54 from/ })).toBeVisible();
    const count = page.getAllByRole('row').length;
    expect(count).toBeGreaterThan(20);
    expect(page.getByText(/9 calls to models with unknown prices/)).toBeVisible();
    expect(page.getByRole('row', { name: /llama4 .* –$/ })).toBeVisible();
    await user.selectOptions(page.getByLabelText('Show'), 'Tokens');
    expect(page.getByRole('img', { name: /^\d\.\dM from/ })).toBeVisible();
    await user.selectOptions(page.getByLabelText('Period'), 'Last 7 days');
    expect(page.getAllByRole('row').length).toBeLessThan(count);
  });

  test('usage says so if there is none or if it cannot be read', async () => {
    const { agent, user } = await openChat([answered()], { place: 'usage' });
    expect(await page.findByText('No usage in this period')).toBeVisible();
    await user.click(page.getByRole('button', { name: 'Back to the chat' }));
    agent.usage.byDay = () => Promise.reject(new Error('No such file.'));
    await user.click(page.getByRole('button', { name: 'Model and cost' }));
    await user.click(page.getByRole('button', { name: 'Usage by day' }));
    expect(await page.findByRole('alert')).toHaveTextContent('could not be read');
  });
});

describe('Remember', () => {
  const lasting = (text = 'From now on, answer in one line.') => {
    const script = new Script('a').ask(text).step();
    return script.say('I will.').done('I will.');
  };

  test("Remember adds the user's version to the instructions once", async () => {
    const settings = { instructions: 'Call me Ada.\n' };
    const { agent, user } = await openChat([lasting()], { settings });
    const box = page.getByRole('textbox', { name: /^Remember this/ });
    expect(box).toHaveValue('Answer in one line.');
    await user.type(box, ' Always.');
    expect(agent.settings.current().instructions).toBe('Call me Ada.\n');
    await user.click(page.getByRole('button', { name: 'Remember' }));
    expect(agent.settings.current().instructions).toBe('Call me Ada.\nAnswer in one line. Always.');
    expect(page.queryByRole('form', { name: 'Remember' })).toBeNull();
    expect(page.getByText('Answer in one line. Always.')).toBeVisible();
  });

  test('Remember is not offered again after it was declined, or for a message without a lasting wish', async () => {
    const { ui, user, agent } = await openChat([lasting()]);
    await user.click(page.getByRole('button', { name: 'Not now' }));
    expect(page.queryByRole('form', { name: 'Remember' })).toBeNull();
    expect(agent.settings.current().instructions).toBe('');
    const told = [...ui.told];
    document.body.replaceChildren();
    await openChat([lasting()], { told });
    expect(page.queryByRole('form', { name: 'Remember' })).toBeNull();
    document.body.replaceChildren();
    await openChat([lasting('Add milk')]);
    expect(page.queryByRole('form', { name: 'Remember' })).toBeNull();
  });

  test('Remember keeps a text that could not be saved, and says why', async () => {
    const { agent, ui, user } = await openChat([lasting()]);
    agent.settings.set = async () => ({ ok: false, reason: 'The settings could not be saved.' });
    await user.click(page.getByRole('button', { name: 'Remember' }));
    expect(ui.asked).toContainEqual(['notice', 'The settings could not be saved.']);
    expect(page.getByRole('form', { name: 'Remember' })).toBeVisible();
  });

  test('Remember is not offered for earlier messages', async () => {
    const script = lasting();
    for (let count = 0; count < 3; count += 1) answered(script);
    await openChat([script]);
    expect(page.queryByRole('form', { name: 'Remember' })).toBeNull();
  });
});
