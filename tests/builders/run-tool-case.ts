import type { CallResult } from '#model/message';
import { memoryCommands } from './commands';
import { converse, openDevice } from './conversations';
import { memoryStore } from './fake-storage';
import { memoryServers, offeredTool } from './fake-mcp-servers';
import type { ToolCase } from './tool-cases';
import { CASE_VAULT } from './tool-cases';
import { memoryBench, type MemoryBench } from './tools';
import { memoryWeb } from './web';

/** A bench with notes, commands, web pages, past conversations and MCP servers for all cases. */
export async function benchFor({
  settings = {},
}: Pick<ToolCase, 'settings'>): Promise<MemoryBench> {
  const commands = memoryCommands(
    [
      { id: 'daily-notes', name: 'Open today’s daily note' },
      { id: 'editor:focus', name: 'Focus on last note' },
    ],
    (id) => id === 'daily-notes',
  );
  const history = openDevice(memoryStore());
  await converse(history, 'garden', {
    userText: 'What does the garden need?',
    reply: 'Water.',
    source: 'voice',
  });
  const bench = memoryBench(CASE_VAULT, {
    ...{ settings, commands, web: web(), servers: servers(), history: history.all },
  });
  await bench.registry.refresh();
  return bench;
}

/** Runs a case in its own vault and returns the result. */
export async function runToolCase(toolCase: ToolCase): Promise<CallResult> {
  const { tool, input, before = [], resolution } = toolCase;
  const bench = await benchFor(toolCase);
  for (const [name, given] of before) await bench.call(name, given);
  return resolution ? bench.resolved([tool, input], resolution) : bench.call(tool, input);
}

function web() {
  const made = memoryWeb();
  made.found = {
    ok: true,
    hits: [
      {
        title: 'How to prune',
        url: 'https://example.com/pruning',
        snippet: 'Cut in late winter.',
        date: '',
      },
      { title: '', url: 'https://example.org/trees', snippet: '', date: '' },
    ],
    summary: 'Prune apple trees in late winter.',
  };
  const page = { title: 'How to prune', date: '2026-02-01', via: [], isCut: false };
  made.pages = {
    'https://example.com/pruning': {
      ok: true,
      page: { ...page, url: 'https://example.com/pruning', text: 'Cut in late winter.' },
    },
    'https://example.com/long': {
      ok: true,
      page: { ...page, url: 'https://example.com/long', text: 'Cut. '.repeat(40_000), isCut: true },
    },
    'https://example.com/moved': {
      ok: false,
      reason: 'https://example.com/moved can’t be read (it redirects to a private address).',
      led: ['https://example.com/moved', 'http://192.168.0.1/'],
    },
  };
  return made;
}

function servers() {
  const made = memoryServers();
  made.listed = [{ id: 'desk', name: 'Desk' }];
  made.told.set('desk', [
    offeredTool('read', { saysItReads: true }),
    offeredTool('dump'),
    offeredTool('fail'),
    offeredTool('down'),
    offeredTool('quiet'),
  ]);
  made.call = async (_id, tool) => {
    switch (tool) {
      case 'dump':
        return { text: 'row\n'.repeat(40_000), failed: false, isFromServer: true };
      case 'fail':
        return { text: 'No such ledger.', failed: true, isFromServer: true };
      case 'down':
        return {
          text: 'The server “Desk” ended during the call.',
          failed: true,
          isFromServer: false,
          theirs: 'out of memory',
        };
      case 'quiet':
        return { text: '', failed: false, isFromServer: true };
      default:
        return { text: 'Two open invoices.', failed: false, isFromServer: true };
    }
  };
  return made;
}
