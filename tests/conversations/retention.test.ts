import { expect, it } from 'vitest';
import { removableConversations, type DeletedConversation } from '#conversations/repository';
import type { UserRequest } from '#model/request';
import type { ListedConversation } from '#ports/app/conversations-port';

function ended(id: string, updated: number, ...sources: UserRequest['source'][]) {
  const made = {
    id,
    updated,
    sources,
    openTurn: null,
    ended: updated,
    pinned: false,
    removed: null,
  };
  return made as unknown as ListedConversation & DeletedConversation;
}

it("removableConversations limits conversations of MCP clients apart from the user's own", () => {
  const own = ['a', 'b', 'c'].map((id, at) => ended(id, at, 'typed'));
  const joined = ended('joined', 3, 'mcp', 'typed');
  const called = Array.from({ length: 500 }, (_, at) => ended(`called-${at}`, 10 + at, 'mcp'));
  const gone = removableConversations([...own, joined, ...called], 4, 1_000).map(({ id }) => id);
  expect(gone).toHaveLength(496);
  expect(gone.every((id) => id.startsWith('called-'))).toBe(true);
  expect(removableConversations([...own, ...called], 1_000, 1_000)).toHaveLength(300);
  expect(removableConversations(own, 1, 1_000).map(({ id }) => id as string)).toEqual(['b', 'a']);
});
