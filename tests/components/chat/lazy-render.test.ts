/** Which parts of a long conversation are drawn. */
import { screen as page } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeEach, expect, test, vi } from 'vitest';
import { NearViewport } from '#components/chat/lazy-render.ts';
import { Script } from '#workbench/gallery/script';
import { openChat } from '../chat';
import { eventually } from '#tests/builders/eventually';

beforeEach(() => {
  // As in a browser that skips far content; the test says what is far.
  vi.stubGlobal('ContentVisibilityAutoStateChangeEvent', Event);
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => callback());
  Element.prototype.scrollIntoView = () => undefined;
  return () => vi.unstubAllGlobals();
});

function long(): Script {
  const script = new Script('long');
  for (let at = 0; at < 50; at += 1) {
    script.ask(`Question ${at}.`).step();
    script.call('read_file', { path: 'Lists/Shopping.md' }, 'Milk').stepEnd().step();
    script.say(`**Answer** ${at}.`).done(`**Answer** ${at}.`);
  }
  return script;
}

const turn = (at: number) => page.getAllByRole('article')[at] as HTMLElement;
const isDrawn = (at: number) => turn(at).querySelector('strong') !== null;

async function goes(at: number, where: 'near' | 'away'): Promise<void> {
  const event = new Event('contentvisibilityautostatechange', { bubbles: true });
  turn(at).dispatchEvent(Object.assign(event, { skipped: where === 'away' }));
  await tick();
}

test('a turn far away shows plain text and is drawn while it is near', async () => {
  await openChat([long()]);
  expect(page.getAllByRole('article')).toHaveLength(50);
  expect(isDrawn(49)).toBe(true);
  expect(isDrawn(20)).toBe(false);
  expect(turn(20)).toHaveTextContent('Question 20. **Answer** 20.');
  await goes(20, 'near');
  expect(isDrawn(20)).toBe(true);
  expect(turn(20).querySelectorAll('.far')).toHaveLength(0);
  await goes(20, 'away');
  expect(isDrawn(20)).toBe(false);
  expect(isDrawn(49)).toBe(true);
});

test('a turn that the user has opened parts of stays drawn', async () => {
  const { user } = await openChat([long()]);
  await goes(20, 'near');
  const trace = turn(20).querySelector('details') as HTMLDetailsElement;
  await user.click(trace.querySelector('summary') as HTMLElement);
  await goes(20, 'away');
  expect(trace).toBeInTheDocument();
});

test('an old turn is not announced when it is drawn', async () => {
  await openChat([long()]);
  await goes(20, 'near');
  expect(turn(20)).toHaveAttribute('aria-live', 'off');
  expect(turn(49)).not.toHaveAttribute('aria-live');
});

test('a new turn is not announced again after it was far away', async () => {
  const script = long();
  const { frame } = await openChat([script]);
  for (let at = 50; at < 53; at += 1) {
    script.ask(`Question ${at}.`).step().say(`**Answer** ${at}.`).done(`**Answer** ${at}.`);
  }
  await frame();
  expect(isDrawn(49)).toBe(false);
  expect(turn(49)).toHaveAttribute('aria-live', 'off');
  await goes(49, 'near');
  expect(isDrawn(49)).toBe(true);
  expect(turn(49)).toHaveAttribute('aria-live', 'off');
  expect(turn(52)).not.toHaveAttribute('aria-live');
});

test('a turn that waited for a frame of a closed window is drawn in its new window', () => {
  const closed = { requestAnimationFrame: () => 0 };
  const near = new NearViewport();
  const list = document.createElement('div');
  const letGo = near.within(list);
  const drawn: string[] = [];
  for (const [name, view] of Object.entries({ moved: closed, next: window })) {
    const element = list.appendChild(document.createElement('article'));
    Object.defineProperty(element, 'ownerDocument', { value: { defaultView: view } });
    near.watch(element, () => drawn.push(name));
    const event = new Event('contentvisibilityautostatechange');
    element.dispatchEvent(Object.assign(event, { skipped: false }));
  }
  expect(drawn).toEqual(['moved', 'next']);
  letGo();
});

test('a search target is drawn, however far away it is', async () => {
  const { screen } = await openChat([long()]);
  await screen.open(screen.id as never, { place: 7 });
  await eventually(() => expect(turn(7)).toHaveFocus());
  expect(isDrawn(7)).toBe(true);
});

test('a search target is unfolded', async () => {
  const script = long();
  const answer = 'Well.\n\n> [!note]- Folded\n> The quince.';
  script.ask('Where?').step().say(answer).done(answer);
  const { screen } = await openChat([script]);
  const fold = await eventually(() => page.getByText('The quince.').closest('details'));
  expect(fold).not.toHaveAttribute('open');
  const message = `${script.turn}.1`;
  await screen.open(screen.id as never, { message, role: 'agent', query: 'quince' });
  await eventually(() => expect(turn(50)).toHaveFocus());
  expect(fold).toHaveAttribute('open');
});
