import { screen as page } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failure } from '#messages/failures';
import { Script } from '#workbench/gallery/script';
import { openChat } from '../chat';

beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'setTimeout'] }));
afterEach(() => vi.useRealTimers());

function asking(): Script {
  return new Script('a', Date.now()).ask('When do I sow tomatoes?');
}

/** The lines with the moving mark, as read. */
function liveLines(): string[] {
  return [...document.querySelectorAll('[data-turn] .mark')].map((mark) =>
    (mark.parentElement?.textContent ?? '').replace(/\s+/g, ' ').trim(),
  );
}

async function after(seconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(seconds * 1000);
  await tick();
}

test('each running state has one live line in words, with seconds', async () => {
  const script = asking();
  const { frame } = await openChat([script]);
  expect(liveLines()).toEqual(['Waiting for Claude']);
  await after(3);
  expect(liveLines()).toEqual(['Waiting for Claude · 3 s']);

  script.wait(3000).step().delta({ type: 'thinking', text: 'The log has it.' });
  await frame();
  expect(liveLines()).toEqual([expect.stringMatching(/^Thinking/)]);

  script.think('The log has it.');
  const call = script.prepare('read_file', { path: 'Garden/Tomatoes.md' });
  script.start(call);
  await tick();
  expect(liveLines()).toEqual([expect.stringMatching(/^Reading Garden\/Tomatoes/)]);

  script.finish(call, { text: '1\tTomatoes', failed: false }).stepEnd().step();
  await tick();
  expect(liveLines()).toEqual([expect.stringMatching(/^Waiting for Claude/)]);

  script.delta({ type: 'text', text: 'In March.' });
  await frame();
  expect(liveLines()).toEqual([expect.stringMatching(/^Writing/)]);

  script.say('In March.').done('In March.');
  await tick();
  expect(liveLines()).toEqual([]);
});

test('a finished call joins the line of those before it, which stays where it is', async () => {
  const script = asking().step().call('search_files', { pattern: 'sow' }, 'none');
  script.start(script.prepare('read_file', { path: 'Garden/Tomatoes.md' }));
  await openChat([script]);
  expect(page.getByText('Searched for').closest('summary')).toHaveTextContent('Searched for “sow”');
  expect(liveLines()).toEqual([expect.stringMatching(/^Reading Garden\/Tomatoes/)]);
});

test('the live line shows the count that a call reports', async () => {
  const script = asking().step();
  const call = script.prepare('search_vault', { query: 'sow' });
  script.start(call);
  const { frame } = await openChat([script]);
  const text = 'Reading 6,289 notes, 40 %';
  script.write({ type: 'call-progress', turn: script.turn, call, text });
  await frame();
  expect(liveLines()).toEqual([expect.stringMatching(/^Reading 6,289 notes, 40 %/)]);
});

test('a model that says nothing for 20 seconds is slower than usual, until it says something', async () => {
  const script = asking().step();
  const { frame } = await openChat([script]);
  await after(19);
  expect(liveLines()[0]).not.toMatch(/slower/);
  await after(2);
  expect(liveLines()[0]).toMatch(/^Waiting for Claude · 2\d s · slower than usual$/);
  script.delta({ type: 'text', text: 'In' });
  await frame();
  expect(liveLines()[0]).not.toMatch(/slower/);
});

test('a slow call is not blamed on the model', async () => {
  const script = asking().step();
  script.start(script.prepare('read_file', { path: 'Tomatoes.md' }));
  await openChat([script]);
  await after(40);
  expect(liveLines()[0]).toMatch(/^Reading Tomatoes · 40 s$/);
});

test('the step limit is shown from 80 % of it on', async () => {
  const script = asking();
  for (let step = 1; step < 8; step += 1) {
    script
      .step()
      .call('read_file', { path: `${step}.md` }, '1\tA')
      .stepEnd();
  }
  await openChat([script]);
  expect(liveLines()[0]).not.toMatch(/steps/);
  script.step();
  await tick();
  expect(liveLines()[0]).toMatch(/8 of at most 10 steps$/);
});

test('a paused, waiting or retrying turn has one sign of its own', async () => {
  const retrying = asking().step().void(failure('overloaded'));
  const { screen } = await openChat([retrying.retry(failure('overloaded'), Date.now() + 5000)]);
  expect(liveLines()).toEqual([expect.stringMatching(/Retrying in 5 s/)]);
  expect(screen.running).not.toBeNull();

  retrying.step();
  retrying.start(retrying.prepare('read_file', { path: 'Tomatoes.md' }));
  retrying.write({ type: 'turn-pause', turn: retrying.turn });
  await tick();
  expect(liveLines()).toEqual([]);
  expect(page.getByText('Pausing after the current step.')).toBeVisible();
  expect(page.getByText('Reading')).toBeVisible();
});

test('screen readers hear once, after 30 seconds, that a turn is still working', async () => {
  const script = asking().step();
  script.start(script.prepare('read_file', { path: 'Tomatoes.md' }));
  await openChat([script]);
  const heard: string[] = [];
  const status = [...document.querySelectorAll('[role="status"]')];
  const observer = new MutationObserver(() => {
    const text = status.map(({ textContent }) => textContent.trim()).join('');
    if (text !== '') heard.push(text);
  });
  for (const each of status) {
    observer.observe(each, { subtree: true, childList: true, characterData: true });
  }
  await after(29);
  expect(heard).toEqual([]);
  await after(60);
  expect(heard).toEqual(['Still working: Reading Tomatoes']);
});
