/** Performs a scene's acts in the page, as a user would. */
import type { PageUi } from './page-ui';
import type { Act } from './scene';
import type { ScriptedAgent } from './scripted-agent';

/** Number of frames to wait for the element of an act. */
const PATIENCE = 120;
const NAMED = 'button, summary, input, textarea, select, details, [role], [tabindex]';

/** Throws if no element has the name that an act refers to. */
export async function perform(
  root: HTMLElement,
  acts: readonly Act[],
  { agent, ui }: { agent: ScriptedAgent; ui: PageUi },
): Promise<void> {
  for (const act of acts) {
    if ('later' in act) act.later(agent);
    else if ('click' in act) click(await named(root, act.click));
    else if ('unfold' in act) await unfold(root);
    else if ('scroll' in act) await scroll(await named(root, act.scroll), act.to);
    else if ('write' in act) write(await named(root, act.into), act.write);
    else {
      click(await named(root, act.menu));
      ui.chooseFromMenu(act.choose);
    }
    await frame();
  }
}

export function frame(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}

function click(element: HTMLElement): void {
  if (element.matches('button, input, textarea, summary')) element.focus();
  element.click();
}

async function scroll(element: HTMLElement, to: number): Promise<void> {
  // Repeated, because a list that follows its end jumps back until it notices that the user
  // scrolled away.
  for (let count = 0; count < 4; count += 1) {
    await frame();
    element.scrollTop = to;
  }
}

function write(element: HTMLElement, text: string): void {
  const field = element as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
  field.focus();
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

async function unfold(root: HTMLElement): Promise<void> {
  const folded = () => [...root.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
  for (let all = folded(); all.length > 0; all = folded()) {
    for (const each of all) each.open = true;
    await frame();
    await frame();
  }
}

async function named(root: HTMLElement, name: string): Promise<HTMLElement> {
  for (let count = 0; count < PATIENCE; count += 1) {
    const all = [...root.querySelectorAll<HTMLElement>(NAMED)];
    const found =
      all.find((element) => nameOf(element) === name) ??
      all.find((element) => nameOf(element).startsWith(name));
    if (found) return found;
    await frame();
  }
  throw new Error(`Nothing is called "${name}".`);
}

function nameOf(element: HTMLElement): string {
  const label = element.getAttribute('aria-label');
  return label ?? element.innerText.replace(/\s+/g, ' ').trim();
}
