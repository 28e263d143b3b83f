import { expect, test } from 'vitest';
import { diagnostics } from '#obsidian/settings/diagnostics';
import { scriptedAgent } from '#workbench/gallery/scripted-agent';

test('diagnostics have versions, counts and kinds, and nothing that a user wrote', async () => {
  const agent = scriptedAgent([], {
    settings: {
      stepsPerTurn: 12,
      panelMode: 'apply',
      endpoint: 'https://zebra.example/zebra',
      model: 'zebra-model',
      instructions: 'Zebra.',
      vaultOrganization: 'Zebra.',
      excludedFolders: ['Zebra'],
      apiKeyName: 'zebra',
      assistantName: 'Zebra',
      contextPresets: [{ name: 'Zebra', attachments: [] }],
      mcpServers: [
        {
          ...{ id: 'zebra', name: 'Zebra', enabled: true, kind: 'stdio' },
          ...{ command: 'zebra', args: ['zebra'], env: { ZEBRA: 'zebra' } },
        },
      ],
      prices: { zebra: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 } },
    },
  });
  const report = await diagnostics(agent, '1.2.3');
  expect(report.toLowerCase()).not.toContain('zebra');
  expect(JSON.parse(report)).toMatchObject({
    versions: { parley: '1.2.3' },
    settings: {
      stepsPerTurn: 12,
      panelMode: 'apply',
      endpoint: 'other',
      model: 'other',
      instructions: 'set',
      excludedFolders: '1 entries',
      excludedTag: 'default',
    },
    connections: { smartHole: 'off', mcpServer: 'off' },
    counts: { chats: 0, requests: 0 },
  });
});
