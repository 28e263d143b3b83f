/** The same conversation in each tool presentation: its effects and its record must be the same. */
import { describe, expect, test } from 'vitest';
import type { EventOf } from '#model/event';
import { PRESENTATIONS } from '#tests/builders/registry';
import {
  AFTER,
  asOffered,
  BEANS,
  CONVERSATION,
  END,
  FILES,
  MILK,
  MOVE,
} from '#tests/builders/all-agents-conversation';
import { call, reply } from '#workbench/model/replies';
import { persistent, scripted, type ScriptStep } from '#workbench/model/scripted';
import { blocksOf, toolResults, type ModelRequest } from '#workbench/model/wire';
import {
  isEvent,
  visibleFilesIn,
  openStage,
  recordedOf,
  type Headless,
  type Scenario,
} from './driver';

function stageFor(replies: readonly ScriptStep[]): Promise<Scenario> {
  return openStage(asOffered(scripted(replies, { asides: reply('A title') })), FILES);
}

async function isAsked(headless: Headless): Promise<void> {
  await headless.event('interaction-start');
  await headless.settled();
}

/** Names of the tools that a request offers to the model. */
function offeredIn(request: ModelRequest | undefined): string {
  return (request?.tools ?? []).map(({ name }) => name).join(' ');
}

function callsIn(request: ModelRequest): { name: unknown; input: unknown }[] {
  return request.messages
    .flatMap(({ content }) => blocksOf(content))
    .filter(({ type }) => type === 'tool_use')
    .map(({ name, input }) => ({ name, input }));
}

test('a conversation has the same calls, results, and changes in each tool presentation', async () => {
  const told = [];
  const wires = [];
  for (const toolPresentation of PRESENTATIONS) {
    await using stage = await stageFor(CONVERSATION);
    const headless = await stage.start({ settings: { toolPresentation } });
    await headless.send('send', { text: 'Put it in order.' });
    await isAsked(headless);
    await headless.send('answer', { text: 'Yes.' });
    await headless.event('turn-end');
    await headless.settled();
    expect(stage.server.violations).toEqual([]);
    expect(visibleFilesIn(stage.vault)).toEqual(AFTER);
    const parts = recordedOf(stage.vault, 'part-end').map(({ part }) => part);
    const calls = parts.flatMap((part) => (part.type === 'call' ? [part] : []));
    told.push({
      calls: calls.map(({ name, input }) => ({ name, input })),
      results: recordedOf(stage.vault, 'call-end').map(({ result }) => result.text),
      ends: recordedOf(stage.vault, 'turn-end').map(({ end }) => end),
    });
    wires.push(callsIn(stage.server.requests.at(-1)!.body)[2]);
  }
  expect(told[0]?.ends).toEqual([{ kind: 'completed', outcome: 'done', reply: END.summary }]);
  expect(told[0]?.results.join('\n')).toContain('`Lists/Shoping.md` does not exist');
  expect(told[1]).toEqual(told[0]);
  expect(told[2]).toEqual(told[0]);
  const input = { path: 'Lists/Shopping.md' };
  expect(wires).toEqual([
    { name: 'read_file', input },
    { name: 'note_reader', input: { mode: 'read_file', ...input } },
    { name: 'note_reader__read_file', input },
  ]);
});

test.each(['call-start', 'call-end'] as const)(
  'a turn that presents tools as agents resumes after a kill at a %s',
  async (type) => {
    const planned = [
      { name: 'edit_file', input: MILK },
      { name: 'write_file', input: BEANS },
      { name: 'move', input: MOVE },
    ];
    await using stage = await openStage(asOffered(persistent(planned)), FILES);
    const settings = { toolPresentation: 'agents' };
    const first = await stage.start({ settings });
    first.write(JSON.stringify({ cmd: 'send', text: 'Put it in order.' }));
    const ofSecond = (event: EventOf<typeof type>) => event.call.split('.')[1] === '2';
    await first.killAt(isEvent(type, ofSecond));
    // The new presentation applies to later conversations, not to this one.
    const next = await stage.start({ settings: { toolPresentation: 'mcp' } });
    await next.settled();
    expect(visibleFilesIn(stage.vault)).toEqual(AFTER);
    expect(stage.server.violations).toEqual([]);
    expect(recordedOf(stage.vault, 'turn-end')).toHaveLength(1);
    const offered = stage.server.requests.map(({ body }) => offeredIn(body));
    expect(new Set(offered.filter((names) => names !== ''))).toEqual(
      new Set(['note_reader note_editor vault_librarian vault_manager conversation']),
    );
  },
);

describe('A conversation that started with tools presented as agents', () => {
  const settings = { toolPresentation: 'agents' };

  test('the conversation continues with flat tools when the user switches model and presentation', async () => {
    await using stage = await stageFor([
      reply(call('read_file', { path: 'Lists/Shopping.md' })),
      reply('Bread.'),
      reply(call('edit_file', MILK)),
      // Called in the presentation of the previous turn.
      reply(call('note_editor', { mode: 'write_file', ...BEANS })),
      reply('Milk and beans.'),
    ]);
    const headless = await stage.start({ settings });
    await headless.send('send', { text: 'What is on the list?' });
    await headless.event('turn-end');
    await headless.settled();
    await headless.send('set', { toolPresentation: 'flat', model: 'claude-sonnet-5-5' });
    await headless.send('send', { text: 'Add milk, and write of beans.' });
    await headless.event('turn-end', ({ end }) => end.reply === 'Milk and beans.');
    await headless.settled();
    expect(stage.server.violations).toEqual([]);
    expect(visibleFilesIn(stage.vault)).toMatchObject({
      'Lists/Shopping.md': AFTER['Lists/Shopping.md'],
      'Notes/Beans.md': BEANS.content,
    });
    const last = stage.server.requests.findLast(({ body }) => (body.tools ?? []).length > 0)!.body;
    expect(offeredIn(last)).toMatch(/^read_file get_file_info /);
    expect(callsIn(last)).toEqual([
      { name: 'note_reader', input: { mode: 'read_file', path: 'Lists/Shopping.md' } },
      { name: 'edit_file', input: MILK },
      { name: 'note_editor', input: { mode: 'write_file', ...BEANS } },
    ]);
  });

  test('the model learns that an agent was disabled during the turn', async () => {
    await using stage = await stageFor([
      reply(call('ask_user', { question: 'Shall I move it?' })),
      reply(call('move', MOVE)),
      ({ messages }) => reply(`${toolResults(messages).at(-1)?.text}`),
    ]);
    const headless = await stage.start({ settings });
    await headless.send('send', { text: 'Move the idea.' });
    await isAsked(headless);
    await headless.send('set', { disabledAgents: ['vault_manager'], toolPresentation: 'flat' });
    await headless.send('answer', { text: 'Yes.' });
    const { end } = await headless.event('turn-end');
    await headless.settled();
    expect(end.reply).toMatch(/^move is switched off in the user's settings/);
    expect(visibleFilesIn(stage.vault)).toEqual(FILES);
    const turn = stage.server.requests.map(({ body }) => body).filter(({ tools }) => tools?.length);
    expect(new Set(turn.map(offeredIn)).size).toBe(1);
    expect(JSON.stringify(turn[1]?.messages)).toContain(
      'refused when called: create_folder, move, copy, delete, copy_notes, open_note.',
    );
    expect(stage.server.violations).toEqual([]);
  });

  test('a call of an unknown agent, mode, or parameter lists the valid ones', async () => {
    await using stage = await stageFor([
      reply(
        call('note_editor', { mode: 'move', ...MOVE }),
        call('note_writer', { mode: 'write_file', ...BEANS }),
        call('note_editor', { mode: 'add_tags', path: 'Notes/Other.md', edits: [] }),
      ),
      ({ messages }) =>
        reply(
          toolResults(messages)
            .map(({ text }) => text)
            .join('\n'),
        ),
    ]);
    const headless = await stage.start({ settings });
    await headless.send('send', { text: 'Do it.' });
    const { end } = await headless.event('turn-end');
    await headless.settled();
    expect(end.reply).toContain('That is a mode of vault_manager. The modes of note_editor are: ');
    expect(end.reply).toContain(
      'There is no agent "note_writer". write_file is a mode of note_editor. The agents are: ',
    );
    expect(end.reply).toContain(
      '"edits" (edits is a parameter of edit_file). Expected: path, paths, where, tags',
    );
    expect(stage.server.violations).toEqual([]);
  });
});
