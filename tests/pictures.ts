/**
 * Takes the pictures of the README and the guide: the built plugin in the workbench, over copies of
 * the sample vault, with the demo model or scripted replies. The page's clock stands still, so
 * that a picture changes only if the screen does.
 */
import { cpSync, mkdirSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { call, reply, type Reply } from '#workbench/model/replies';
import { scripted } from '#workbench/model/scripted';
import type * as ServeModule from '#workbench/serve';
import { temporaryFolder } from './builders/temporary-folder';
import { findBrowser } from './workbench/browser.mjs';
import { ensureWorkbench } from './workbench/build/ensure-built.mjs';

/** Named like its file, without the ending. */
interface Picture {
  readonly name: string;
  /** The model's replies, in place of the demo model, and the title of the chat. */
  readonly model?: { readonly replies: readonly Reply[]; readonly title: string };
  /** The folder and the name of the open note. */
  readonly note: readonly [folder: string, name: string];
  /** Brings the page, in which the note and the chat are open, to what the picture shows. */
  arrange(page: Page): Promise<void>;
}

/** A morning after the newest note of the sample vault. */
const NOW = new Date('2026-11-14T09:30:00');
/** When the notes were changed last. */
const CHANGED = new Date('2026-11-12T18:00:00');
const LOOK = {
  viewport: { width: 1000, height: 800 },
  deviceScaleFactor: 2,
  colorScheme: 'light',
  reducedMotion: 'reduce',
  locale: 'en-US',
  timezoneId: 'Europe/London',
} as const;
const CHAT_WIDTH = 460;

const TODO = 'Lists/Todo.md';

const PICTURES: readonly Picture[] = [
  {
    name: 'answer',
    note: ['Notes', 'Tomatoes'],
    async arrange(page) {
      await send(page, 'What do my notes say about blight?');
      await page.locator('.parley-cite').first().hover();
      await page.getByRole('tooltip').waitFor();
    },
  },
  {
    name: 'review',
    note: ['Lists', 'Todo'],
    model: {
      replies: [
        reply(call('search_files', { pattern: 'Nora', file_pattern: 'Meetings/*' })),
        reply(call('read_file', { path: TODO })),
        reply(
          call('edit_file', {
            path: TODO,
            edits: [
              {
                old_text: '- [ ] Book the hall for the [[Open garden day]]',
                new_text: '- [ ] Book the hall for the [[Open garden day]], until **20 November**',
              },
              {
                old_text: '- [ ] Write to the printer about the leaflets',
                new_text:
                  '- [ ] Write to the printer about the leaflets\n- [ ] Risk assessment for the [[Pond for the school]]',
              },
            ],
          }),
        ),
        reply(
          'You promised two things: the **hall**, by 20 November, and the **risk assessment** for the [[Pond for the school|pond]]. Both wait in [[Todo]] for your review.',
        ),
      ],
      title: 'Promises from the meetings',
    },
    async arrange(page) {
      await send(page, 'What did I promise in the last meetings? Put it on my list.');
      await page.getByRole('heading', { name: 'Promises from the meetings' }).waitFor();
    },
  },
  {
    name: 'undo',
    note: ['Lists', 'Shopping'],
    async arrange(page) {
      await setMode(page, 'Apply');
      await send(page, 'Add milk and butter to my shopping list');
      await page.getByRole('log').getByText('Worked').click();
    },
  },
];

/** Writes all pictures, or one of them, and returns their names and the errors of their pages. */
export async function writePictures(
  folder: string,
  only?: string,
): Promise<{ names: string[]; faults: string[] }> {
  const pictures = PICTURES.filter(({ name }) => only === undefined || name === only);
  if (pictures.length === 0) {
    const known = PICTURES.map(({ name }) => name).join(', ');
    throw new Error(`No picture is named ${only}. The pictures are: ${known}.`);
  }
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch({ ...findBrowser(() => undefined), headless: true });
  try {
    const faults: string[] = [];
    for (const picture of pictures) faults.push(...(await take(browser, picture, folder)));
    return { names: pictures.map(({ name }) => name), faults };
  } finally {
    await browser.close();
  }
}

async function take(browser: Browser, picture: Picture, folder: string): Promise<string[]> {
  const { program, ...places } = await ensureWorkbench();
  const { serve } = (await import(pathToFileURL(program).href)) as typeof ServeModule;
  const vault = temporaryFolder('pictures');
  cpSync(places.sampleVault, vault, { recursive: true });
  for (const file of readdirSync(vault, { recursive: true })) {
    utimesSync(path.join(vault, String(file)), CHANGED, CHANGED);
  }
  const serving = await serve(
    { vault, apiUrl: null, apiKey: null, port: null, smartHolePort: null, open: false },
    places,
  );
  if (picture.model) {
    const { replies, title } = picture.model;
    serving.demo?.server.setRespond(scripted(replies, { asides: reply(title) }));
  }
  const context = await browser.newContext(LOOK);
  const faults: string[] = [];
  try {
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(`${picture.name}: ${error.message}`));
    await page.clock.setFixedTime(NOW);
    await page.goto(serving.url);
    await page.waitForSelector('body[data-ready="yes"]');
    await page.getByRole('button', { name: 'Open chat' }).first().click();
    await message(page).waitFor();
    await openNote(page, ...picture.note);
    await page.locator('.mod-right-split').evaluate((side, width) => {
      side.style.width = `${width}px`;
    }, CHAT_WIDTH);
    await page.locator('.mod-left-split').evaluate((side) => {
      side.style.display = 'none';
    });
    await picture.arrange(page);
    await page.locator('.workspace').screenshot({
      path: path.join(folder, `${picture.name}.png`),
      animations: 'disabled',
    });
  } finally {
    await context.close();
    await serving.close();
    rmSync(vault, { recursive: true, force: true });
  }
  return faults;
}

function message(page: Page) {
  return page.getByRole('textbox', { name: 'Message' });
}

async function openNote(page: Page, folder: string, note: string): Promise<void> {
  await page.getByRole('treeitem', { name: folder }).click();
  await page.getByRole('treeitem', { name: note }).click();
  await page.locator('.mod-root .cm-content').waitFor();
}

/** Sends a request and waits for its end. */
async function send(page: Page, text: string): Promise<void> {
  await message(page).fill(text);
  await message(page).press('Enter');
  await page.locator('[data-sent]').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  await page.mouse.move(0, 0);
}

async function setMode(page: Page, mode: string): Promise<void> {
  await page.getByRole('button', { name: /^Mode: / }).click();
  await page.getByRole('menuitem', { name: mode }).click();
}
