/** Opens the built plugin in the workbench in Chromium, with its own vault. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type CDPSession, type Page } from 'playwright-core';
import { SETTINGS_VERSION } from '#model/settings-validation';
import type { PageWithParley } from '#tests/e2e/driver';
import type * as ServeModule from '#workbench/serve';
import { findBrowser } from '../../workbench/browser.mjs';
import { ensureWorkbench } from '../../workbench/build/ensure-built.mjs';
import { partsOf, type Part, tasksOf } from '../streaming/trace';
import { pluginTimes } from './profile';

/** The device that owns all conversations of the vault. */
export const DEVICE = 'device-bench';
export const PLUGIN = '.obsidian/plugins/parley';

/** Times in milliseconds. */
export interface PanelTask {
  readonly milliseconds: number;
  /** What the plugin's own script took of it, with the functions of the browser that it calls. */
  readonly own: number;
}

/** Microseconds between two samples. */
const SAMPLING_US = 500;

/** Chromium's counts of live objects after garbage collection. */
export interface Held {
  /** JavaScript heap in bytes. */
  readonly heap: number;
  readonly nodes: number;
  readonly listeners: number;
  readonly documents: number;
}

export interface TimelineEvents {
  readonly counts: ReadonlyMap<string, number>;
  readonly milliseconds: number;
}

export class OpenedPanel {
  readonly page: Page;
  readonly serving: ServeModule.Serving;
  /** The folder of the vault. */
  readonly vault: string;
  readonly #session: CDPSession;
  readonly #faults: string[] = [];
  readonly #close: () => Promise<void>;

  constructor(
    page: Page,
    serving: ServeModule.Serving,
    vault: string,
    session: CDPSession,
    close: () => Promise<void>,
  ) {
    this.page = page;
    this.serving = serving;
    this.vault = vault;
    this.#session = session;
    this.#close = close;
    page.on('pageerror', (error) => this.#faults.push(error.stack ?? error.message));
  }

  /**
   * Traces the frames that are drawn while `run` runs, each with the main thread's work until the
   * next.
   */
  async frames(run: () => Promise<void>): Promise<readonly Part[]> {
    const { page } = this;
    const browser = page.context().browser();
    if (!browser) throw new Error('There is no browser.');
    await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
    await page.evaluate(() => {
      let count = 0;
      const frame = () => {
        performance.mark(`part ${(count += 1)}`);
        running = requestAnimationFrame(frame);
      };
      let running = requestAnimationFrame(frame);
      Object.assign(window, { endFrames: () => cancelAnimationFrame(running) });
    });
    await run();
    await page.evaluate(() => {
      (window as unknown as { endFrames: () => void }).endFrames();
      performance.mark('over');
      performance.clearMarks();
    });
    const trace = await browser.stopTracing();
    if (this.#faults.length > 0) throw new Error(`The page failed.\n${this.#faults.join('\n')}`);
    return partsOf(trace);
  }

  /** Traces the tasks of the main thread while `run` runs, and samples whose scripts they run. */
  async tasks(run: () => Promise<void>): Promise<readonly PanelTask[]> {
    const { page } = this;
    const browser = page.context().browser();
    if (!browser) throw new Error('There is no browser.');
    await this.#session.send('Profiler.enable');
    await this.#session.send('Profiler.setSamplingInterval', { interval: SAMPLING_US });
    await this.#session.send('Profiler.start');
    await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
    await page.evaluate(() => performance.mark('part 0'));
    await run();
    await page.evaluate(() => performance.mark('over'));
    const trace = await browser.stopTracing();
    const { profile } = await this.#session.send('Profiler.stop');
    if (this.#faults.length > 0) throw new Error(`The page failed.\n${this.#faults.join('\n')}`);
    const tasks = tasksOf(trace);
    const own = pluginTimes(profile, tasks);
    return tasks.map(({ used }, at) => ({
      milliseconds: used / 1_000,
      own: Math.min(used, own[at] ?? 0) / 1_000,
    }));
  }

  /** Counts the events of Chromium's timeline while `run` runs, by name, and the time of all tasks. */
  async events(run: () => Promise<void>): Promise<TimelineEvents> {
    const browser = this.page.context().browser();
    if (!browser) throw new Error('There is no browser.');
    const categories = ['devtools.timeline', 'disabled-by-default-devtools.timeline.stack'];
    const before = await this.#taskTime();
    await browser.startTracing(this.page, { categories });
    await run();
    const trace = await browser.stopTracing();
    const milliseconds = (await this.#taskTime()) - before;
    const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: { name: string }[] };
    const counts = new Map<string, number>();
    for (const { name } of traceEvents) counts.set(name, (counts.get(name) ?? 0) + 1);
    return { counts, milliseconds };
  }

  async #taskTime(): Promise<number> {
    const { metrics } = await this.#session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
  }

  /** Tells the page that its window is hidden, which Chromium without a screen never does. */
  async hide(hidden: boolean): Promise<void> {
    await this.page.evaluate((is) => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: is });
      const state = is ? 'hidden' : 'visible';
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  }

  /** Resolves when no turn is running and nothing is about to begin one. */
  async idle(): Promise<void> {
    await this.page.evaluate(async () => {
      const { agent } = (window as unknown as PageWithParley).app.plugins.plugins.parley;
      while ((await (await agent).state()).busy) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
  }

  async held(): Promise<Held> {
    // The second collection frees what finalizers released in the first.
    for (let at = 0; at < 2; at += 1) await this.#session.send('HeapProfiler.collectGarbage');
    const { metrics } = await this.#session.send('Performance.getMetrics');
    const of = (name: string) => metrics.find((each) => each.name === name)?.value ?? 0;
    return {
      heap: of('JSHeapUsedSize'),
      nodes: of('Nodes'),
      listeners: of('JSEventListeners'),
      documents: of('Documents'),
    };
  }

  close(): Promise<void> {
    return this.#close();
  }
}

/**
 * @param files added to the vault, by path
 * @param fill puts notes into the vault; by default those of the sample vault
 * @param prepare is run in the page before its own scripts
 */
export async function openPanel(
  files: Readonly<Record<string, string>> = {},
  fill?: (vault: string) => void,
  prepare: () => void = () => undefined,
): Promise<OpenedPanel> {
  const { program, ...built } = await ensureWorkbench();
  const vault = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  if (fill) fill(vault);
  else cpSync(built.sampleVault, vault, { recursive: true });
  const all = {
    ...files,
    [`${PLUGIN}/data.json`]: JSON.stringify({
      version: SETTINGS_VERSION,
      settings: { panelMode: 'apply' },
    }),
    '.obsidian/workbench-local-storage.json': JSON.stringify({
      'parley-device': JSON.stringify(DEVICE),
      'parley-trusted-settings': JSON.stringify({ settings: { panelMode: 'apply' }, declined: [] }),
    }),
  };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(path.dirname(path.join(vault, file)), { recursive: true });
    writeFileSync(path.join(vault, file), text);
  }
  const { serve } = (await import(pathToFileURL(program).href)) as typeof ServeModule;
  const serving = await serve(
    { vault, apiUrl: null, apiKey: null, port: null, smartHolePort: null, open: false },
    built,
  );
  const browser = await chromium.launch(findBrowser(() => undefined));
  const page = await browser.newPage({ viewport: { width: 1360, height: 860 } });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const panel = new OpenedPanel(page, serving, vault, session, async () => {
    await browser.close();
    await serving.close();
    rmSync(vault, { recursive: true, force: true });
  });
  await page.addInitScript(prepare);
  await page.goto(serving.url);
  await page.waitForSelector('body[data-ready="yes"]');
  return panel;
}

export function conversationPath(id: string): string {
  return `${PLUGIN}/conversations/${id}.jsonl`;
}
