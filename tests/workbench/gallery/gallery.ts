/**
 * Shows one scene at a time, selected by the URL: `#scene=plan&theme=dark&width=280&direction=rtl`.
 * `alone` hides the controls. The body's `data-ready` holds the hash that is fully rendered.
 */
import { chatMounter, type ChatMounter } from '#components/mount.ts';
import { pageUi, type PageUi } from './page-ui';
import type { Act, Scene } from './scene';
import { SCENE_GROUPS, SCENES, THEMES } from './scenes';
import { scriptedAgent, type ScriptedAgent } from './scripted-agent';

const WIDTHS = [280, 420, 800];

interface Address {
  readonly scene: string;
  readonly theme: string;
  readonly width: number;
  readonly direction: string;
}

const stage = document.getElementById('gallery') as HTMLElement;
let mounter: ChatMounter | null = null;
let close: () => void = () => undefined;
/** Name of the mounted scene. */
let shown = '';

function addressNow(): Address {
  const asked = new URLSearchParams(location.hash.slice(1));
  return {
    scene: asked.get('scene') ?? Object.keys(SCENES)[0] ?? '',
    theme: asked.get('theme') ?? 'light',
    width: Number(asked.get('width') ?? 420),
    direction: asked.get('direction') ?? 'ltr',
  };
}

async function show(): Promise<void> {
  const asked = location.hash;
  const address = addressNow();
  const scene = SCENES[address.scene];
  document.body.className = (THEMES[address.theme] ?? THEMES['light'] ?? []).join(' ');
  document.body.classList.toggle('alone', asked.includes('alone'));
  document.body.classList.toggle('mod-rtl', address.direction === 'rtl');
  stage.style.width = `${address.width}px`;
  stage.dir = address.direction;
  fillControls(address);
  if (scene && address.scene !== shown) {
    shown = address.scene;
    close();
    mounter?.close();
    stage.replaceChildren();
    const made = mount(scene());
    await made.acted;
    await made.drawn();
  }
  await frame();
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  }
  await frame();
  if (location.hash === asked) document.body.dataset['ready'] = asked;
}

function mount(scene: Scene) {
  const agent = scriptedAgent(scene.scripts, scene);
  agent.problems.push(...(scene.problems ?? []));
  for (const [port, methods] of Object.entries(scene.answers ?? {})) {
    Object.assign(agent[port as keyof ScriptedAgent], methods);
  }
  const ui = pageUi(scene);
  const made = chatMounter(agent, ui, Promise.resolve(), () => undefined);
  mounter = made;
  stage.classList.toggle('note', scene.widgets !== undefined);
  if (scene.widgets) mountWidgets(made, scene.widgets);
  else mountPanel(made, scene);
  return { acted: act(scene, agent, ui), drawn: () => ui.drawn() };
}

async function act(scene: Scene, agent: ScriptedAgent, ui: PageUi): Promise<void> {
  while (!stage.querySelector('.chat header, .widget')) await frame();
  await frame();
  await perform(stage, scene.acts ?? [], { agent, ui });
}

function mountPanel(from: ChatMounter, { place }: Scene): void {
  const chat = from.mount(stage);
  close = () => chat.close();
  if (typeof place === 'string') void chat.run({ do: `show-${place}` });
  else if (place) void chat.run({ do: 'show-history-of', note: place.note });
}

function mountWidgets(from: ChatMounter, widgets: NonNullable<Scene['widgets']>): void {
  const nothing = () => undefined;
  const above = stage.appendChild(document.createElement('div'));
  const [first] = widgets;
  const host = { note: first?.note ?? '', move: nothing, onresize: nothing, onempty: nothing };
  const bar = from.mountNoteBar(above, host);
  const all = widgets.map((widget) => {
    const line = document.createElement('p');
    line.textContent = 'A line of the note that stays as it is.';
    stage.append(line);
    return from.mountEdit(stage, widget);
  });
  close = () => [bar, ...all].forEach((each) => each.close());
}

function go(change: Partial<Address>): void {
  const { scene, theme, width, direction } = { ...addressNow(), ...change };
  const asked = new URLSearchParams({ scene, theme, width: String(width), direction });
  location.hash = asked.toString();
}

function fillControls({ scene, theme, width, direction }: Address): void {
  const values: Record<string, string> = { theme, width: String(width), direction };
  for (const select of document.querySelectorAll<HTMLSelectElement>('#controls select')) {
    select.value = values[select.name] ?? '';
  }
  for (const link of document.querySelectorAll<HTMLAnchorElement>('#scenes a')) {
    link.toggleAttribute('aria-current', link.dataset['scene'] === scene);
  }
}

function buildControls(): void {
  const choices = { theme: Object.keys(THEMES), width: WIDTHS, direction: ['ltr', 'rtl'] };
  for (const [name, values] of Object.entries(choices)) {
    const select = document.createElement('select');
    select.name = name;
    select.className = 'dropdown';
    select.setAttribute('aria-label', name);
    select.append(...values.map((value) => new Option(String(value), String(value))));
    select.onchange = () => go({ [name]: select.value });
    document.getElementById('controls')?.append(select);
  }
  for (const [name, scenes] of Object.entries(SCENE_GROUPS)) {
    const title = document.createElement('h2');
    title.textContent = name;
    const links = Object.keys(scenes).map((each) => {
      const link = document.createElement('a');
      link.href = `#scene=${each}`;
      link.dataset['scene'] = each;
      link.textContent = each;
      link.onclick = (event) => {
        event.preventDefault();
        go({ scene: each });
      };
      return link;
    });
    document.getElementById('scenes')?.append(title, ...links);
  }
}

buildControls();
window.addEventListener('hashchange', () => void show());
void show();

/** Number of frames to wait for the element of an act. */
const PATIENCE = 120;
const NAMED =
  'a[aria-label], button, summary, input, textarea, select, details, [role], [tabindex]';

/** Throws if no element has the name that an act refers to. */
async function perform(
  root: HTMLElement,
  acts: readonly Act[],
  { agent, ui }: { agent: ScriptedAgent; ui: PageUi },
): Promise<void> {
  for (const act of acts) {
    if ('later' in act) act.later(agent);
    else if ('click' in act) click(await named(root, act.click));
    else if ('focus' in act) (await named(root, act.focus)).focus();
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

function frame(): Promise<unknown> {
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
