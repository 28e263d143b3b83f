/** Past chats: found again, narrowed, named, put away, deleted and brought back, written out, and answered anew. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { eventLine } from '#conversations/record';
import type { EventDraft } from '#model/event';
import type { ConversationId, DeviceId } from '#model/ids';
import { call, reply } from '#workbench/model/replies';
import { Script } from '#workbench/gallery/script';
import { openChat, type OpenedChat } from './chat';

const FOLDER = '.obsidian/plugins/parley/conversations';
const DEVICE = 'device-e2e';
const DAY = 86_400_000;

/** A conversation's file, as this device would have written it. */
function filed(...scripts: Script[]): Record<string, string> {
  return Object.fromEntries(
    scripts.map((script) => [
      `${FOLDER}/${script.id}.jsonl`,
      script.events.map(eventLine).join(''),
    ]),
  );
}

/** Of a thousand turns, in one of which a quince was spoken of. */
function long(): Script {
  const script = new Script('long', Date.now() - 3 * DAY, DEVICE);
  for (let at = 1; at <= 1_000; at += 1) {
    script.ask(at === 200 ? 'Where do I plant the quince?' : `Question number ${at}`).step();
    const answer =
      at === 200
        ? '**South wall**: the quince wants sun, and room for its roots.'
        : `Answer ${at}.`;
    script.say(answer).done(answer);
  }
  return script
    .write({ type: 'title-set', title: 'A long talk', by: 'model' })
    .write({ type: 'conversation-end', reason: 'idle' });
}

async function past(chat: OpenedChat) {
  await chat.page.getByRole('button', { name: 'Past chats' }).click();
  return chat.page.getByRole('region', { name: 'Past chats' });
}

test('what was said long ago is found, and the chat opens at it', async () => {
  await using chat = await openChat({ files: filed(long()) });
  const { log, page } = chat;
  const list = await past(chat);
  await list
    .getByRole('button', { name: /A long talk/ })
    .first()
    .waitFor();
  const field = list.getByRole('searchbox');
  await field.fill('quince sun');
  await list.getByText('1 place in 1 chat').waitFor();
  await chat.look('browser-found');
  const began = Date.now();
  await list.getByRole('button', { name: /South wall/ }).click();
  const found = log.getByText('South wall');
  await found.waitFor();
  console.log('opened after', Date.now() - began);
  await expect.poll(() => isInSight(chat, 'South wall')).toBe(true);
  await chat.look('browser-landed');
  expect(await log.getByText('Answer 1000.').count()).toBe(0);
  await page.getByRole('button', { name: 'To the end' }).click();
  await log.getByText('Answer 1000.').waitFor();
  await chat.allWell();
});

function isInSight(chat: OpenedChat, words: string): Promise<boolean> {
  return chat.log.evaluate((element, text) => {
    const found = [...element.querySelectorAll('p, strong')].find((each) =>
      each.textContent?.includes(text),
    );
    if (!found) return false;
    const [box, frame] = [found.getBoundingClientRect(), element.getBoundingClientRect()];
    return box.top >= frame.top && box.bottom <= frame.bottom;
  }, words);
}
