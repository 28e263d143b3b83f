/** Scenes of tool calls by MCP clients, in the chat that records them. */
import { NO_USAGE, type CallDetails } from '#model/message';
import type { Scenes } from './scene';
import { Script } from './script';

const SHOPPING = 'Lists/Shopping.md';
const PROGRAM = 'Claude Code';

function programScript(name: string): Script {
  return new Script(name)
    .by('')
    .write({ type: 'title-set', title: `Calls by ${PROGRAM}`, by: 'client' });
}

interface Called {
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly text: string;
  readonly details?: CallDetails;
  readonly failed?: boolean;
}

function asks(script: Script, name: string): Script {
  return script.wait(4_000).ask(`${PROGRAM} called ${name}.`, 'mcp', 'review').step();
}

function add(script: Script, { name, input, text, details, failed = false }: Called) {
  asks(script, name).call(name, input, text, { failed, ...(details ? { details } : {}) });
  const { turn } = script;
  const outcome = failed ? 'not_done' : 'done';
  script.write({ type: 'step-end', turn, step: 1, stop: 'calls', usage: NO_USAGE });
  script.write({
    ...{ type: 'turn-end', turn, usage: NO_USAGE },
    end: { kind: 'completed', outcome, reply: '' },
  });
}

function called(name = 'programs'): Script {
  const script = programScript(name);
  add(script, {
    name: 'search_files',
    input: { pattern: 'milk' },
    text: '2 matches in 1 file',
    details: { kind: 'search', matches: 2, files: 1 },
  });
  add(script, {
    name: 'read_file',
    input: { path: SHOPPING },
    text: '1 - eggs',
    details: { kind: 'read', paths: [SHOPPING] },
  });
  const change = { change: 'change-p1' as never, kind: 'write', path: SHOPPING } as const;
  add(script, {
    name: 'edit_file',
    input: { path: SHOPPING, edits: [{ position: 'end', content: '- milk' }] },
    text: 'Done.',
    details: { kind: 'changes', changes: [{ ...change, added: 1, removed: 0 }] },
  });
  add(script, {
    name: 'read_file',
    input: { path: 'Lists/Shoping.md' },
    text: '`Lists/Shoping.md` does not exist. Close matches: `Lists/Shopping.md`.',
    failed: true,
  });
  return script;
}

function asking(): Script {
  const script = asks(called('programs-asking'), 'delete');
  script.hold(
    'delete',
    { path: SHOPPING },
    {
      kind: 'approval',
      tool: 'delete',
      title: `Delete ${SHOPPING}?`,
      lines: ['2 notes link to it, and their links would lead nowhere.'],
      choices: ['delete', 'keep'],
    },
  );
  return script;
}

export const PROGRAM_SCENES: Scenes = {
  programs: () => ({ scripts: [called()] }),
  'programs-asking': () => ({ scripts: [asking()] }),
  'programs-asking-elsewhere': () => ({
    scripts: [asking(), new Script('own').wait(60_000).ask('What is new?').step().done('Nothing.')],
  }),
};
