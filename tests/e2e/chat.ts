/** Drives the chat panel in the workbench as a user would. */
import { IS_SAMPLE } from '#tests/builders/sampled';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { reply } from '#workbench/model/replies';
import { scripted, type ScriptStep } from '#workbench/model/scripted';
import { lastSaid, userWords, type ModelRequest } from '#workbench/model/wire';
import { openWorkbench, withAgent, type OpenedWorkbench, type OpenOptions } from './driver';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** In pixels: the minimum width of a sidebar, and a comfortable width. */
const WIDTHS = [280, 420] as const;

/** What the browser logs when the plugin tries to connect while SmartHole is not running. */
export const CONNECTION_REFUSED = /WebSocket connection to .* failed/;

export interface OpenedChat extends OpenedWorkbench {
  readonly log: Locator;
  readonly message: Locator;
  readonly approval: Locator;
  readonly question: Locator;
  /** All requests sent to the model so far, except those for titles and summaries. */
  readonly modelRequests: () => readonly ModelRequest[];
  /** Opens the panel if it is closed. */
  open(): Promise<void>;
  send(text: string): Promise<void>;
  /** Runs a command from the palette, by its name or part of it. */
  command(name: string): Promise<void>;
  /** Resolves when no turn is running or waiting. */
  idle(): Promise<void>;
  /**
   * Reloads the page after the running turn has ended, and opens the panel again. Expects no errors
   * except those that match `tolerated`, which may or may not have been logged.
   */
  reload(tolerated?: RegExp): Promise<void>;
  read(note: string): string;
  /**
   * Checks the panel with axe in both themes. If the run takes pictures, takes one of the panel in
   * each theme and width and one of the page.
   */
  checkLooks(name: string): Promise<void>;
  /** Takes pictures of the page with a dialog, in each theme and width. */
  pictureDialog(name: string): Promise<void>;
  /**
   * Expects no invalid model request and no errors except those containing these words, in this
   * order.
   */
  expectNoFaults(...expected: string[]): Promise<void>;
}

export interface ChatOptions extends OpenOptions {
  /**
   * The model's replies in order, in place of the demo model. Requests for titles and summaries,
   * which may come at any time, get an empty answer and take none of them.
   */
  readonly model?: readonly ScriptStep[];
}

/** Runs a command from the palette of a window, by its name or part of it. */
export async function runCommand(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+p');
  await page.keyboard.type(name);
  await page.locator('.suggestion-item.is-selected', { hasText: name }).waitFor();
  await page.keyboard.press('Enter');
}

export async function openChat(options: ChatOptions = {}): Promise<OpenedChat> {
  const workbench = await openWorkbench(options);
  const { page, vault, serving } = workbench;
  const { demo } = serving;
  if (!demo) throw new Error('There is no demo model.');
  if (options.model) {
    const script = scripted(options.model);
    demo.server.setRespond((request, context) =>
      isNaming(request) ? reply() : script(request, context),
    );
  }
  const side = page.locator('.mod-right-split');
  const chat: OpenedChat = {
    ...workbench,
    log: page.getByRole('log'),
    message: page.getByRole('textbox', { name: 'Message' }),
    approval: page.getByRole('region', { name: 'Approval' }),
    question: page.getByRole('region', { name: 'Question' }),
    modelRequests: () =>
      demo.server.requests.map(({ body }) => body).filter((body) => !isNaming(body)),
    async open() {
      await page.getByRole('button', { name: 'Open chat' }).first().click();
      await chat.message.waitFor();
    },
    async send(text) {
      await chat.message.fill(text);
      await chat.message.press('Enter');
    },
    command: (name) => runCommand(page, name),
    async idle() {
      // A message whose turn has not begun.
      await page.locator('[data-sent]').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });
    },
    async reload(tolerated) {
      await expect
        .poll(() => withAgent(page, async (agent) => (await agent.state()).busy))
        .toBe(false);
      const faults = await workbench.faults();
      expect(faults.filter((fault) => !tolerated?.test(fault))).toEqual([]);
      await page.reload();
      await page.waitForSelector('body[data-ready="yes"]');
      await chat.open();
    },
    read: (note) => readFileSync(path.join(vault, note), 'utf8'),
    async checkLooks(name) {
      // What fades in has too little contrast until it is there.
      await side.getByText('Loading…', { exact: true }).waitFor({ state: 'detached' });
      if (IS_SAMPLE) {
        expect.soft(await violations(side.locator('.view-content')), name).toEqual([]);
        return;
      }
      for (const theme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme: theme });
        for (const width of WIDTHS) {
          await side.evaluate((element, to) => {
            element.style.width = `${to}px`;
          }, width);
          await workbench.screenshot(`chat/${name}-${theme}-${width}`, side);
        }
        expect
          .soft(await violations(side.locator('.view-content')), `${name}, ${theme}`)
          .toEqual([]);
      }
      await workbench.screenshot(`chat/${name}-page`);
    },
    async pictureDialog(name) {
      const size = page.viewportSize();
      for (const theme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme: theme });
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 500 });
          await workbench.screenshot(`${name}-${theme}-${width}`);
        }
      }
      if (size) await page.setViewportSize(size);
    },
    async expectNoFaults(...expected) {
      expect(demo.server.violations).toEqual([]);
      // An expected error may arrive late.
      if (expected.length > 0)
        await expect.poll(async () => (await workbench.faults()).length).toBe(expected.length);
      expect(await workbench.faults()).toEqual(
        expected.map((words) => expect.stringContaining(words) as string),
      );
    },
  };
  await chat.open();
  return chat;
}

/** Whether the plugin asks for the title or the summary of a chat. */
function isNaming({ messages }: ModelRequest): boolean {
  const asked = userWords(messages[lastSaid(messages)]);
  return /^Write (?:a title|a summary|title and summary)\.$/.test(asked);
}

/** axe violations in the current theme and size. */
export async function violations(part: Locator): Promise<string[]> {
  const page = part.page();
  const isThere = await page.evaluate(() => 'axe' in window);
  if (!isThere) await page.addScriptTag({ content: AXE });
  return part.evaluate(async (element) => {
    const { axe: checker } = window as unknown as { axe: typeof axe };
    const found = await checker.run(element);
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ''}`),
    );
  });
}
