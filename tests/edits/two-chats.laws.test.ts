/** Two chats propose in one note: what the user decides and undoes in one leaves the other's. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConversationId, ProposalId } from '#model/ids';
import { cases, CASES_TIMEOUT_MS } from '../cases';
import { ProposalHarness } from './proposing';

const NOTE = 'Shopping.md';
type Chat = 'A' | 'B';
/** What has become of a chat's item. */
type Status = 'pending' | 'accept' | 'reject';

const asLine = (item: string) => `- [ ] ${item}`;
const noteWith = (items: readonly string[]) =>
  `# Shopping\n\n${['bread', ...items].map((item) => `${asLine(item)}\n`).join('')}`;

/** The lines of a note without its edits, read without any code of the product. */
function linesOf(text: string): string[] {
  return text
    .replace(/^ *```ai-edit\n.*\n *```\n *#ai_edit(?:\n|$)/gm, '')
    .split('\n')
    .filter((line) => line.startsWith('- '));
}

/** What is proposed in the note, read without any code of the product. */
function proposedIn(text: string): string[] {
  const blocks = text.match(/\{"id":.*\}/g) ?? [];
  return blocks.map((each) => String((JSON.parse(each) as { after: string }).after).trim());
}

async function bothProposed(): Promise<{ desk: ProposalHarness; ids: Record<Chat, string> }> {
  const desk = new ProposalHarness({ [NOTE]: noteWith([]) });
  const propose = async (chat: Chat, items: readonly string[]) => {
    desk.conversation = chat as string as ConversationId;
    const known = desk.ids(NOTE);
    await desk.proposeText(NOTE, noteWith(items));
    return desk.ids(NOTE).find((id) => !known.includes(id)) ?? '';
  };
  const A = await propose('A', ['milk']);
  const B = await propose('B', ['milk', 'butter']);
  return { desk, ids: { A, B } };
}

const ITEMS = { A: 'milk', B: 'butter' } as const;
const step = fc.record({
  chat: fc.constantFrom<Chat>('A', 'B'),
  choice: fc.constantFrom('accept' as const, 'reject' as const),
});

describe('Two chats that append to one list', { timeout: CASES_TIMEOUT_MS }, () => {
  it('the user decides and undoes in any order, and each item is where its own chat says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
        const { desk, ids } = await bothProposed();
        const status: Record<Chat, Status> = { A: 'pending', B: 'pending' };
        const changes: Partial<Record<Chat, never>> = {};
        for (const { chat, choice } of steps) {
          if (status[chat] === 'pending') {
            const report = await desk.decide(NOTE, choice, [ids[chat]]);
            expect(report.unapplied).toEqual([]);
            expect(report.decided.map(({ conversation }) => conversation)).toEqual([chat]);
            Object.assign(changes, { [chat]: report.decided[0]?.change });
            status[chat] = choice;
          } else {
            const done = await desk.undo(changes[chat] as never);
            expect(typeof done === 'string' ? done : done.unapplied).toEqual([]);
            status[chat] = 'pending';
          }
          await desk.pending.look(NOTE);
          const text = desk.notes.text(NOTE);
          const isIn = (wanted: Status) => (each: Chat) => status[each] === wanted;
          const items = (['A', 'B'] as const).filter(isIn('accept')).map((each) => ITEMS[each]);
          // Two edits that were both away may come back in either order.
          expect(linesOf(text).sort()).toEqual(['bread', ...items].map(asLine).sort());
          const open = (['A', 'B'] as const).filter(isIn('pending'));
          expect(proposedIn(text).sort()).toEqual(open.map((each) => asLine(ITEMS[each])).sort());
          expect(desk.ids(NOTE).sort()).toEqual(open.map((each) => ids[each]).sort());
        }
      }),
      cases,
    );
  });

  it('words that both chats change are one edit, which belongs to both', async () => {
    const desk = new ProposalHarness({ [NOTE]: noteWith([]) });
    desk.conversation = 'A' as ConversationId;
    await desk.proposeText(NOTE, noteWith(['milk']));
    desk.conversation = 'B' as ConversationId;
    await desk.proposeText(NOTE, noteWith(['oat milk']));
    const ids = desk.ids(NOTE);
    expect(ids).toHaveLength(1);
    const list = await desk.ledger.changes();
    expect(list.conversationsOf(ids[0] as ProposalId)).toEqual(['A', 'B']);
    await desk.decide(NOTE, 'accept', ids);
    expect(desk.notes.text(NOTE)).toBe(noteWith(['oat milk']));
  });
});
