/** System notifications while Obsidian is in the background. */
import { expect, test } from 'vitest';
import { openChat } from '#tests/e2e/chat';

interface Told {
  title: string;
  body: string | undefined;
  onclick?: () => void;
}

test('a typed request that ends in the background triggers a notification, and clicking it opens the chat', async () => {
  await using chat = await openChat();
  const { page } = chat;
  await page.evaluate(() => {
    const inPage = window as unknown as { told: Told[]; Notification: unknown };
    inPage.told = [];
    inPage.Notification = class implements Told {
      readonly body: string | undefined;
      constructor(
        readonly title: string,
        { body }: { body?: string },
      ) {
        this.body = body;
        inPage.told.push(this);
      }
    };
  });
  const told = () =>
    page.evaluate(() =>
      (window as unknown as { told: Told[] }).told.map(({ title, body }) => ({ title, body })),
    );
  const looks = (is: boolean) =>
    page.evaluate((answer) => void (document.hasFocus = () => answer), is);

  await looks(false);
  await chat.send('add bread to my shopping list');
  await chat.idle();
  await expect.poll(told).toMatchObject([{ title: 'Done: add bread to my shopping list' }]);

  await page.getByRole('button', { name: 'New chat' }).click();
  await chat.log.waitFor({ state: 'detached' });
  await page.evaluate(() => (window as unknown as { told: Told[] }).told[0]?.onclick?.());
  await chat.log.getByText('add bread to my shopping list').waitFor();

  // There is no notification while the window has focus.
  await looks(true);
  await chat.send('add milk to my shopping list');
  await chat.log.getByText('I added milk to Shopping.').waitFor();
  await chat.idle();
  await chat.send('delete the note Lists/Shopping');
  await chat.approval.waitFor();
  await looks(false);
  await chat.approval.getByRole('button', { name: 'Keep' }).click();
  await chat.idle();
  await expect.poll(async () => (await told()).length).toBe(2);
  await chat.expectNoFaults();
});
