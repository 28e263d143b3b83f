import { expect, test } from 'vitest';
import { type McpServer } from '#model/mcp-server';
import { type Settings, permissionsWith } from '#model/settings';

const desk: McpServer = {
  ...{ id: 'desk', name: 'Desk', enabled: true, kind: 'stdio' },
  ...{ command: 'a', args: [], env: {} },
};
const far: McpServer = {
  ...{ id: 'far', name: 'Far', enabled: true, kind: 'http' },
  ...{ url: 'https://a.b', secret: '' },
};
const tools: Settings['tools'] = {
  ...{ 'desk read': 'allow', 'desk write': 'off', 'far read': 'allow', 'far write': 'off' },
  delete: 'allow',
};

test('permissionsWith drops the tool permissions of an MCP server that was changed or removed', () => {
  const now = { tools, mcpServers: [desk, far] };
  expect(permissionsWith([far, { ...desk, name: 'Bureau', enabled: false }], now)).toBe(tools);
  const { 'desk read': _, ...others } = tools;
  expect(permissionsWith([{ ...desk, args: ['b'] }, far], now)).toEqual(others);
  expect(permissionsWith([{ ...far, id: 'desk' }, far], now)).toEqual(others);
  const { 'far read': _read, 'far write': _write, ...own } = tools;
  expect(permissionsWith([desk], now)).toEqual(own);
});
