import { afterAll, beforeAll, expect, test } from 'vitest';
import { conversationGroups } from '#components/history/conversation-groups.ts';
import type { ListedConversation } from '#ports/app/conversations-port';

const zone = process.env['TZ'];

beforeAll(() => {
  process.env['TZ'] = 'Europe/Berlin';
  expect(new Date(2026, 9, 25, 12).getTimezoneOffset()).toBe(-60);
});

afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

/** The name of the group of a chat that was last used at a local time. */
function groupOf(used: Date, now: Date): string | undefined {
  const chat = { pinned: false, updated: used.getTime() } as ListedConversation;
  return conversationGroups([chat], now.getTime())[0]?.name;
}

test('chats are grouped by days of the calendar, also around a change of the clocks', () => {
  const afterAutumn = new Date(2026, 9, 26, 9);
  expect(groupOf(new Date(2026, 9, 26, 0, 5), afterAutumn)).toBe('Today');
  expect(groupOf(new Date(2026, 9, 25, 0, 30), afterAutumn)).toBe('Yesterday');
  expect(groupOf(new Date(2026, 9, 24, 23, 30), afterAutumn)).toBe('This week');
  const afterSpring = new Date(2026, 2, 30, 9);
  expect(groupOf(new Date(2026, 2, 29, 0, 30), afterSpring)).toBe('Yesterday');
  expect(groupOf(new Date(2026, 2, 28, 23, 30), afterSpring)).toBe('This week');
  expect(groupOf(new Date(2026, 2, 23, 23, 30), afterSpring)).toMatch('March');
});
