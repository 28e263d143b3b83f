/**
 * Non-interference over MCP: clients of two vaults that differ only in hidden files get equal
 * answers. `CASES=15000` makes 3,000 calls.
 */
import type { Client } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  callsOf,
  fill,
  FOLDERS,
  type HiddenFiles,
  INPUTS,
  twoVaults,
} from '../../builders/hidden-files';
import { memoryMetadata } from '../../builders/fake-metadata';
import { MemoryNotes } from '../../builders/fake-vault';
import { cases, CASES_TIMEOUT_MS } from '../../cases';
import { setUpServer } from './table';

const CALLS = 20;

/** The answer to each call with the approvals that it asked for, as text. */
type Ask = (tool: string, input: object, isAllowed: boolean) => Promise<string>;

const SETTINGS = { excludedFolders: ['Private'], mcpServerWrites: true };

async function connected(notes: readonly string[], hidden: HiddenFiles, mode: 'review' | 'apply') {
  const vault = new MemoryNotes(Object.fromEntries(FOLDERS.map((each) => [each, ''])));
  fill(vault, notes, hidden);
  const more = { notes: vault, metadata: memoryMetadata(vault) };
  const table = await setUpServer({ ...SETTINGS, mcpServerMode: mode }, more);
  const rig = await table.start();
  const client = await table.connect();
  const ask: Ask = async (tool, input, isAllowed) => {
    const asked: object[] = [];
    const stop = rig.agent.subscribe((event) => {
      if (event.type !== 'interaction-start' || event.interaction.kind !== 'approval') return;
      const { id, choices } = event.interaction;
      asked.push(event.interaction);
      const choice = (isAllowed ? choices[0] : choices.at(-1))!;
      setTimeout(() => void rig.agent.queue.approve({ approval: id, choice }));
    });
    const answer = await client.callTool({ name: tool, arguments: { ...input } });
    stop();
    return withoutProcess(JSON.stringify([asked, answer], null, 1));
  };
  const close = async () => {
    await client.close();
    void rig.runner.close();
    rig.serving.close();
  };
  return { ask, client, close };
}

/** Ids begin with the kind and the time, and then say which process made them. */
function withoutProcess(text: string): string {
  return text.replace(/\b([a-z]+-[\da-z]{11})\d{4}(?=\d{4}\b)/g, '$1');
}

async function toolsOf(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

test(
  'clients of two vaults that differ only in hidden files get equal answers to all calls',
  async () => {
    const { client, close } = await connected([], [], 'apply');
    const offered = await toolsOf(client);
    await close();
    expect(offered.filter((tool) => !(tool in INPUTS))).toEqual([]);
    const call = fc.tuple(
      callsOf((tool) => offered.includes(tool)),
      fc.boolean(),
    );
    const calls = fc.array(call, { minLength: CALLS, maxLength: CALLS });
    const mode = fc.constantFrom('review' as const, 'apply' as const);
    await fc.assert(
      fc.asyncProperty(twoVaults, calls, mode, async ({ notes, one, other }, all, inMode) => {
        const first = await connected(notes, one, inMode);
        const second = await connected(notes, other, inMode);
        try {
          for (const [[tool, input], isAllowed] of all) {
            const answers = [
              await first.ask(tool, input, isAllowed),
              await second.ask(tool, input, isAllowed),
            ];
            expect(answers[0], JSON.stringify([tool, input])).toBe(answers[1]);
          }
        } finally {
          await first.close();
          await second.close();
        }
      }),
      { numRuns: Math.ceil(cases.numRuns / (5 * CALLS)) },
    );
  },
  CASES_TIMEOUT_MS,
);
