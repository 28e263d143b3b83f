/** The list of other chats: at work, in need of the user, or finished unseen. */
import { screen as page, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, test } from 'vitest';
import type { ApprovalChoice, InteractionDraft } from '#model/interaction';
import { Script } from '#workbench/gallery/script';
import { openChat } from '../chat';

const area = () => page.getByLabelText('Message');
const inbox = () => within(page.getByRole('region', { name: 'Inbox' }));
const row = (title: string) =>
  within(
    inbox()
      .getAllByRole('listitem')
      .find((item) => item.textContent.includes(title)) as HTMLElement,
  );

const DELETE: InteractionDraft = {
  ...{ kind: 'approval', tool: 'delete', title: 'Delete Ideas.md?', lines: [] },
  choices: ['delete', 'keep'] satisfies ApprovalChoice[],
};
const WHICH: InteractionDraft = {
  ...{ kind: 'question', text: 'Which **list**?', choices: ['Shopping', 'Birthday'] },
  allowFreeText: true,
};

function shown(): Script {
  return new Script('shown').ask('Which lists are there?').step().done('Two.');
}

function working(name: string, text = `Work ${name}`): Script {
  const script = new Script(name, Date.now() - 12_000).ask(text).step();
  return script.start(script.prepare('read_file', { path: 'Boat.md' }));
}

function asking(name: string, draft: InteractionDraft, text = `Ask ${name}`): Script {
  const script = new Script(name).ask(text).step();
  script.hold(draft.kind === 'approval' ? 'delete' : 'ask_user', {}, draft);
  return script;
}

/** Waits for the line with this text; screen readers hear some of it from a second element. */
const line = (text: string) => page.findByText(text, { selector: 'summary span' });
const summary = () => inbox().getByText(/working|need|finished|queued|paused/);

describe('the line below the header', () => {
  test('the line counts the chats at work and those that need the user, except the one shown', async () => {
    await openChat([working('a'), working('b'), asking('c', DELETE), working('shown')]);
    expect(inbox().getByText('2 working, 1 needs you')).toBeVisible();
  });

  test('there is no line while no other chat is at work', async () => {
    await openChat([new Script('b').ask('Hello').step().done('Hello.'), working('shown')]);
    expect(page.queryByRole('region', { name: 'Inbox' })).toBeNull();
  });

  test('the line follows a chat from its start to its end', async () => {
    const { agent } = await openChat([shown()]);
    const script = working('a');
    agent.add(script);
    expect(await line('1 working')).toBeInTheDocument();
    script.write({ type: 'turn-pause', turn: script.turn });
    expect(await line('1 paused')).toBeInTheDocument();
    script.write({ type: 'turn-resume', turn: script.turn });
    script.say('Read.').done('Read.');
    expect(await line('1 finished')).toBeInTheDocument();
  });

  test('a screen reader hears of a chat that needs the user', async () => {
    const { agent } = await openChat([shown()]);
    agent.add(asking('a', WHICH));
    const heard = async () => (await page.findAllByRole('status')).map((each) => each.textContent);
    await expect.poll(heard).toContain('1 needs you');
  });

  test('calls of an MCP client count only if they need the user', async () => {
    const call = (name: string) => new Script(name).by('').ask('Called delete.', 'mcp').step();
    const asks = call('asks');
    asks.hold('delete', {}, DELETE);
    await openChat([call('runs'), asks, shown()]);
    expect(inbox().getByText('1 needs you')).toBeVisible();
  });
});

describe('the list of other chats', () => {
  test('a row has the title, the step in words, the time and Stop, which stops that chat only', async () => {
    const { asked, user } = await openChat([working('a', 'Sum up my week'), working('b'), shown()]);
    await user.click(summary());
    expect(row('Sum up my week').getByRole('button', { name: /^Sum up/ })).toHaveTextContent(
      /Sum up my week\s*1\d s\s*Reading\s*Boat/,
    );
    await user.click(page.getByRole('button', { name: 'Stop “Sum up my week”' }));
    expect(asked('stop')).toEqual(['conversation-a']);
  });

  test('the rows keep their order while the chats go on', async () => {
    const [a, b] = [working('a'), working('b')];
    const { user } = await openChat([a, b, shown()]);
    await user.click(summary());
    const titles = () =>
      inbox()
        .getAllByRole('listitem')
        .map((item) => /Work ./.exec(item.textContent)?.[0]);
    const before = titles();
    a.wait(60_000).say('On.').done('On.');
    await line('1 working, 1 finished');
    expect(titles()).toEqual(before);
  });

  test('a question is answered in the list', async () => {
    const { asked, user } = await openChat([asking('a', WHICH), shown()]);
    await user.click(summary());
    expect(row('Ask a').getByText('Which list?')).toBeVisible();
    await user.click(row('Ask a').getByRole('button', { name: 'Answer' }));
    await user.click(row('Ask a').getByRole('button', { name: 'Birthday' }));
    expect(asked('answer')).toMatchObject([{ choice: 'Birthday' }]);
  });

  test('a question without choices is answered in its chat, in the message field', async () => {
    const question: InteractionDraft = { ...WHICH, choices: [] };
    const { screen, user } = await openChat([asking('a', question), shown()]);
    await user.click(summary());
    await user.click(row('Ask a').getByRole('button', { name: 'Answer' }));
    await expect.poll(() => screen.id).toBe('conversation-a');
    await expect.poll(() => document.activeElement === area()).toBe(true);
  });

  test('an approval can be allowed only once it is unfolded, there or in its chat', async () => {
    const script = new Script('a').ask('Ask a').step();
    const held = script.hold('delete', {}, DELETE);
    const { asked, screen, user } = await openChat([script, shown()]);
    await user.click(summary());
    expect(screen.reading.isDone(held.id)).toBe(false);
    await user.click(row('Ask a').getByRole('button', { name: 'Decide' }));
    expect(screen.reading.isDone(held.id)).toBe(true);
    await user.click(row('Ask a').getByRole('button', { name: /^Ask a/ }));
    await expect.poll(() => screen.id).toBe(script.id);
    await expect.poll(() => screen.reading.isDone(held.id)).toBe(true);
    await user.click(page.getByRole('button', { name: /^Delete/ }));
    expect(asked('confirm')).toEqual([{ approval: held.id, choice: 'delete' }]);
  });

  test('an approval is decided in the list', async () => {
    const { asked, user } = await openChat([asking('a', DELETE), shown()]);
    await user.click(summary());
    await user.click(row('Ask a').getByRole('button', { name: 'Decide' }));
    await user.click(row('Ask a').getByRole('button', { name: /^Delete/ }));
    expect(asked('confirm')).toMatchObject([{ choice: 'delete' }]);
  });

  test('nothing unfolds by itself while the list is open', async () => {
    const script = working('a');
    const { user } = await openChat([script, shown()]);
    await user.click(summary());
    script.hold('delete', {}, DELETE);
    await page.findByRole('button', { name: 'Decide' });
    expect(page.queryByRole('region', { name: 'Approval' })).toBeNull();
  });

  test('a click on a row opens its chat and closes the list, from any page', async () => {
    const { screen, run, user } = await openChat([working('a'), shown()]);
    await run({ do: 'show-usage' });
    await user.click(summary());
    await user.click(row('Work a').getByRole('button', { name: /^Work a/ }));
    await expect.poll(() => screen.id).toBe('conversation-a');
    await expect.poll(() => document.activeElement === area()).toBe(true);
    expect(page.queryByRole('button', { name: 'Back to chat' })).toBeNull();
  });
});

describe('the keyboard in the list of other chats', () => {
  test('the command opens the list, Tab reaches its buttons, and Escape closes it', async () => {
    const open = asking('shown', DELETE);
    const { asked, run, user } = await openChat([working('a'), open]);
    await run({ do: 'show-inbox' });
    expect(document.activeElement).toHaveTextContent('1 working');
    await tick();
    await user.tab();
    expect(document.activeElement).toHaveTextContent(/^Work a/);
    await user.tab();
    expect(document.activeElement).toHaveAccessibleName('Stop “Work a”');
    await user.keyboard('{Escape}');
    expect(document.activeElement).toHaveTextContent('1 working');
    expect(page.queryByRole('button', { name: 'Stop “Work a”' })).toBeNull();
    // Neither stopped nor decided: Escape closed what was open.
    expect([asked('stop'), asked('confirm')]).toEqual([[], []]);
  });

  test('keys pressed in the list decide nothing in the chat shown', async () => {
    const { asked, run, user } = await openChat([working('a'), asking('shown', WHICH)]);
    await run({ do: 'show-inbox' });
    await user.keyboard('1');
    expect(asked('answer')).toEqual([]);
  });

  test('the focus stays in the list when its row goes, and goes to the message field with the last', async () => {
    const [a, b] = [working('a'), working('b')];
    const { run, user } = await openChat([a, b, shown()]);
    await run({ do: 'show-inbox' });
    await tick();
    const stop = (script: Script) => {
      script.end({ kind: 'stopped', reply: 'Stopped.' });
    };
    page.getByRole('button', { name: 'Stop “Work a”' }).focus();
    stop(a);
    await expect.poll(() => document.activeElement?.textContent).toMatch(/^Work b/);
    page.getByRole('button', { name: 'Stop “Work b”' }).focus();
    stop(b);
    await expect.poll(() => document.activeElement === area()).toBe(true);
    await user.keyboard('x');
    expect(area()).toHaveValue('x');
  });

  test('the focus stays in the row whose question was answered', async () => {
    const script = new Script('a').ask('Ask a').step();
    const held = script.hold('ask_user', {}, WHICH);
    const { run, user } = await openChat([script, working('b'), shown()]);
    await run({ do: 'show-inbox' });
    await tick();
    await user.click(page.getByRole('button', { name: 'Answer' }));
    page.getByRole('button', { name: 'Shopping' }).focus();
    script.resolve(held, { kind: 'answer', text: 'Shopping', via: 'click' });
    await expect.poll(() => document.activeElement?.textContent).toMatch(/^Ask a/);
  });
});

describe('a chat that finished while another was shown', () => {
  test('a finished chat is marked in the list and in past chats until it is opened', async () => {
    const script = working('a');
    const { run, screen, user } = await openChat([script, shown()]);
    script.say('All is well.').done('All is well.');
    await user.click(await line('1 finished'));
    expect(row('Work a').getByText('Done: All is well.')).toBeVisible();
    await run({ do: 'show-chats' });
    expect(page.getByText('Finished, not seen yet')).toBeInTheDocument();
    await user.click(row('Work a').getByRole('button', { name: /^Work a/ }));
    await expect.poll(() => screen.id).toBe(script.id);
    await run({ do: 'show-chats' });
    expect(page.queryByText('Finished, not seen yet')).toBeNull();
    expect(page.queryByRole('region', { name: 'Inbox' })).toBeNull();
  });

  test('several finished chats are dismissed one by one or together', async () => {
    const scripts = ['a', 'b', 'c'].map((name) => working(name));
    const { user } = await openChat([...scripts, shown()]);
    for (const script of scripts) script.say('Done.').done('Done.');
    await user.click(await line('3 finished'));
    await user.click(page.getByRole('button', { name: 'Dismiss “Work b”' }));
    expect(await line('2 finished')).toBeVisible();
    await user.click(page.getByRole('button', { name: 'Dismiss finished' }));
    expect(page.queryByRole('region', { name: 'Inbox' })).toBeNull();
  });

  test('an end other than done is named', async () => {
    const script = working('a');
    const { user } = await openChat([script, shown()]);
    script
      .stepEnd()
      .end({ kind: 'limited', reason: 'turn-money', reply: 'The limit was reached.' });
    await user.click(await line('1 finished'));
    expect(row('Work a').getByText('Not finished: The limit was reached.')).toBeVisible();
  });

  test.each([
    ['the chat shown', () => working('shown'), true],
    ['a chat that the user stopped', () => working('a'), false],
    ['a call of an MCP client', () => new Script('a').by('').ask('Called.', 'mcp').step(), true],
    [
      'a quick edit',
      () => {
        const script = new Script('a').write({ type: 'note-set', note: 'Boat.md' });
        return script.ask('Shorten').step();
      },
      true,
    ],
    [
      'a reply about an edit',
      () =>
        new Script('a')
          .attach([{ kind: 'hunk', path: 'Boat.md', hunk: 'proposal-1' as never }])
          .ask('Shorter')
          .step(),
      true,
    ],
  ])('%s is not marked', async (_, made, isDone) => {
    const script = made();
    const others = script.id === 'conversation-shown' ? [script] : [script, shown()];
    const { panel } = await openChat(others);
    if (isDone) script.say('Done.').done('Done.');
    else script.end({ kind: 'stopped', reply: 'Stopped.' });
    await panel.refresh();
    await tick();
    expect(page.queryByRole('region', { name: 'Inbox' })).toBeNull();
  });
});

test('a quick edit at work is not counted above the chat, because its box shows it', async () => {
  const quick = new Script('quick');
  quick.write({ type: 'note-set', note: 'Garden.md' }).ask('Shorten this').step();
  const { screen } = await openChat([
    quick,
    new Script('b').ask('Hi').step().say('Hi.').done('Hi.'),
  ]);
  expect(screen.id).toBe('conversation-b');
  expect(screen.otherChats).toEqual([]);
  expect(document.querySelector('[data-inbox]')).toBeNull();
});
