/**
 * Opens the workbench in a real browser with a temporary vault, a new profile and a free port, and
 * collects errors.
 */
import { SETTINGS_VERSION } from '#model/settings-validation';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { changeLogFile } from '#edits/change-log-files';
import type { DeviceId } from '#model/ids';
import type { Agent } from '#ports/app/agent';
import { changeLogKnowing } from '#tests/builders/proposed-notes';
import { writeFiles, type Files } from '#tests/builders/workbench-host';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import type * as ServeModule from '#workbench/serve';
import { sharedBrowser } from './shared-browser';
import { ensureWorkbench } from '../workbench/build/ensure-built.mjs';

const SHOTS = path.join(import.meta.dirname, 'shots');
/** Pictures are for people to look at, so a run takes them only when asked to. */
const TAKES_PICTURES = process.env['PARLEY_PICTURES'] !== undefined;
const SIZE = { width: 1360, height: 860 };

export interface OpenedWorkbench {
  readonly page: Page;
  /** Path of the vault's folder. */
  readonly vault: string;
  readonly serving: ServeModule.Serving;
  /** Errors that the page threw or logged. */
  faults(): Promise<string[]>;
  /** Writes a picture of the page or of one element if the run takes pictures. */
  screenshot(name: string, part?: Locator): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface OpenOptions {
  /**
   * Files of the vault, in addition to the sample vault or, with `sample: false`, instead of it.
   */
  readonly files?: Files;
  /** Notes, in addition to them, whose edits this device has proposed. */
  readonly proposed?: Files;
  readonly sample?: boolean;
  /** A folder with another built plugin to load instead of Parley. */
  readonly pluginDir?: string;
  readonly theme?: 'light' | 'dark';
  /**
   * Saved settings by name, with Haiku 4.5 as the model unless they name another. Defaults to Apply
   * mode; `{}` means the defaults of a new vault.
   */
  readonly settings?: Record<string, unknown>;
  /** Opens settings in a window of their own, as Obsidian does by default. */
  readonly settingsInWindow?: true;
}

const APP_CONFIG = '.obsidian/app.json';
const SAVED_SETTINGS = '.obsidian/plugins/parley/data.json';
/** Values that do not sync: the settings count as saved on this device. */
const LOCAL_STORAGE = '.obsidian/workbench-local-storage.json';

export async function openWorkbench(options: OpenOptions = {}): Promise<OpenedWorkbench> {
  const { files = {}, proposed = {}, sample = true, theme = 'light' } = options;
  const { settings = { panelMode: 'apply' } } = options;
  const model = 'claude-haiku-4-5-20251001';
  const { program, ...built } = await ensureWorkbench();
  const vault = temporaryFolder('e2e');
  if (sample) cpSync(built.sampleVault, vault, { recursive: true });
  if (!options.settingsInWindow) {
    writeFiles(vault, { [APP_CONFIG]: JSON.stringify({ settingsPopoutWindow: false }) });
  }
  writeFiles(vault, { ...files, ...proposed });
  writeFiles(vault, ownChangeLog(vault, proposed));
  if (Object.keys(settings).length > 0) {
    const data = JSON.stringify({ version: SETTINGS_VERSION, settings: { model, ...settings } });
    writeFiles(vault, { [SAVED_SETTINGS]: data, ...trusted(vault, settings) });
  }
  const { serve } = (await import(pathToFileURL(program).href)) as typeof ServeModule;
  const serving = await serve(
    { vault, apiUrl: null, apiKey: null, port: null, smartHolePort: null, open: false },
    { ...built, pluginDir: options.pluginDir ?? built.pluginDir },
  );
  try {
    return await openPage(await sharedBrowser(), serving, vault, theme);
  } catch (error) {
    await serving.close();
    throw error;
  }
}

const DEVICE = 'device-e2e' as DeviceId;
const CHANGE_LOG = `.obsidian/plugins/parley/ledger/${changeLogFile(DEVICE, 1)}`;

/** Files in which this device has proposed the edits of these notes. */
function ownChangeLog(vault: string, proposed: Files): Files {
  const notes = Object.entries(proposed).map(([name, text]) => [name, String(text)] as const);
  if (notes.length === 0) return {};
  const device = { 'parley-device': JSON.stringify(DEVICE) };
  return {
    [LOCAL_STORAGE]: JSON.stringify({ ...storedIn(vault), ...device }),
    [CHANGE_LOG]: changeLogKnowing(DEVICE, Object.fromEntries(notes)),
  };
}

function storedIn(vault: string): Record<string, string> {
  const file = path.join(vault, LOCAL_STORAGE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
}

/** Local storage in which this device trusts the settings, besides what a test has put there. */
function trusted(vault: string, settings: Record<string, unknown>): Files {
  const own = JSON.stringify({ settings, declined: [] });
  const stored = { 'parley-trusted-settings': own, ...storedIn(vault) };
  return { [LOCAL_STORAGE]: JSON.stringify(stored) };
}

async function openPage(
  browser: Browser,
  serving: ServeModule.Serving,
  vault: string,
  theme: 'light' | 'dark',
): Promise<OpenedWorkbench> {
  const context = await browser.newContext({ viewport: SIZE, colorScheme: theme });
  const page = await context.newPage();
  // Far longer than any step takes.
  page.setDefaultTimeout(60_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(serving.url);
  try {
    await page.waitForSelector('body[data-ready]');
    expect(await page.getAttribute('body', 'data-ready')).toBe('yes');
  } catch (error) {
    throw new Error(`The page did not open.\n${errors.join('\n')}`, { cause: error });
  }
  return {
    ...{ page, vault, serving },
    async faults() {
      return errors;
    },
    async screenshot(name, part) {
      if (!TAKES_PICTURES) return;
      mkdirSync(SHOTS, { recursive: true });
      await (part ?? page).screenshot({ path: path.join(SHOTS, `${name}.png`) });
    },
    async [Symbol.asyncDispose]() {
      await context.close();
      await serving.close();
    },
  };
}

/** The global scope of a page in which the built plugin runs. */
export interface PageWithParley {
  app: { plugins: { plugins: { parley: { agent: Promise<Agent> } } } };
}

/**
 * Runs `act` in the page with the plugin's agent and returns its result.
 *
 * `act` is sent to the page as source text, so it can use only its arguments.
 */
export function withAgent<Value, Argument = undefined>(
  page: Page,
  act: (agent: Agent, argument: Argument) => Value,
  ...[argument]: Argument extends undefined ? [] : [Argument]
): Promise<Awaited<Value>> {
  const call = `(${String(act)})(agent, ${JSON.stringify(argument)})`;
  return page.evaluate<Awaited<Value>>(`app.plugins.plugins.parley.agent.then((agent) => ${call})`);
}
