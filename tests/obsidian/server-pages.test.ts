import { expect, test } from 'vitest';
import { testResultText } from '#obsidian/settings/mcp-server-pages';

const END = 'New chats can use them. They ask until you allow them under Tools and commands.';

test('the result of a server test names up to thirty tools and counts the rest', () => {
  const tools = Array.from({ length: 32 }, (_, at) => `tool_${at}`);
  const said = testResultText({ kind: 'up', tools, left: 0 });
  expect(said).toMatch(/^It works and offers 32 tools: tool_0, .*, tool_29 and 2 more\. /);
  expect(said.endsWith(END)).toBe(true);
  expect(testResultText({ kind: 'up', tools: ['read'], left: 0 })).toBe(
    `It works and offers 1 tool: read. ${END}`,
  );
});

test('the result of a server test mentions tools that can’t be used and descriptions that models don’t get', () => {
  const untold = '2 of 3 in short, 0 not at all';
  expect(testResultText({ kind: 'up', tools: ['a', 'b', 'c'], left: 4, omitted: untold })).toBe(
    `It works and offers 3 tools: a, b, c. At least 4 more can’t be used: too many, too large, or without a name of 1 to 128 characters. Their descriptions are too long for a chat: the model gets 2 of 3 in short, 0 not at all. ${END}`,
  );
  expect(testResultText({ kind: 'up', tools: [], left: 1 })).toMatch(
    /^It works, but offers no tools\. At least 1 more can’t be used: /,
  );
});
