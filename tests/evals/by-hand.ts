/**
 * A model that is played by hand: each request becomes a text file with what is new in it, and the
 * answer is read from the file beside it.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { call, reply, type Reply } from '#workbench/model/replies';
import type { Respond } from '#workbench/model/server';
import {
  blocksOf,
  isRecord,
  withoutMarks,
  type ModelRequest,
  type WireBlock,
  type WireTool,
} from '#workbench/model/wire';

const POLL_MS = 200;

const FORM = `text: What you say, if anything.
calls:
  - read_file: { path: Folder/Note.md }
  - edit_file:
      path: Folder/Note.md
      edits:
        - position: insert:3
          content: "A line: with a colon."`;

const INTRODUCTION = `You are the model. Read the system prompt and the tools first; besides them you know only what these requests say. An answer is YAML:

${FORM}

Without calls, the text is your whole answer to the user. The results of calls are in the next request.`;

/** A problem takes the answer away, so that one loop waits for all that can happen. */
function howToAnswer(count: number): string {
  const answer = `${count}.answer.yaml`;
  return `Write your answer to ${answer} beside this file, and wait in this folder:

until [ -e ${count + 1}.request.txt ] || [ -e ${ENDED} ] || [ ! -e ${answer} ]; do sleep 1; done

If ${answer} is gone, ${count}.problem.txt says what was wrong with it: write it again. ${ENDED} says that the task is over.`;
}

/** Written when a task is over, and beside the tasks when all of them are. */
const ENDED = 'ended.txt';

/** @param folder of one task, or of all tasks */
export function endByHand(folder: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, ENDED), `${text}\n`);
}

interface Block {
  readonly role: string;
  readonly block: WireBlock;
}

/**
 * @param folder of one task; the system prompt and the tools, which most tasks share, are written
 * beside it
 * @param onRequest called with the file that is waited for
 */
export function playedByHand(folder: string, onRequest: (answerFile: string) => void): Respond {
  mkdirSync(folder, { recursive: true });
  let before: readonly Block[] = [];
  let count = 0;
  let known = '';
  return async (request, { signal }) => {
    if ((request.tools ?? []).length === 0) return reply('A title');
    count += 1;
    const blocks = blocksIn(request);
    const isNext = before.every((each, at) => isSame(each, blocks[at]));
    const added = isNext ? blocks.slice(before.length) : blocks;
    // The first of the new blocks are the answer that was just given.
    const own = isNext ? added.findIndex(({ role }) => role !== 'assistant') : 0;
    const answerFile = path.join(folder, `${count}.answer.yaml`);
    const files = [
      shared(folder, 'system-prompt', systemText(request)),
      shared(folder, 'tools', toolsText(request.tools ?? [])),
    ].join(' and ');
    const head = [
      `Request ${count}${isNext ? '' : ', in a conversation that begins anew: of what came before, you know only this'}`,
      ...(files === known ? [] : [`The system prompt and your tools are in ${files}.`]),
      ...(count === 1 ? [INTRODUCTION] : []),
      howToAnswer(count),
    ];
    known = files;
    const texts = added.slice(Math.max(0, own)).map((each) => blockText(each, request));
    writeFileSync(
      path.join(folder, `${count}.request.txt`),
      `${[...head, ...texts].join('\n\n')}\n`,
    );
    before = blocks;
    onRequest(answerFile);
    return answerIn(answerFile, signal);
  };
}

function blocksIn({ messages }: ModelRequest): Block[] {
  return messages.flatMap(({ role, content }) =>
    blocksOf(withoutMarks(content)).map((block) => ({ role, block })),
  );
}

function isSame(one: Block, other: Block | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Writes a text that tasks share, once for each of its versions, and returns its name. */
function shared(folder: string, name: string, text: string): string {
  const parent = path.dirname(folder);
  const versions = readdirSync(parent).filter((file) => file.startsWith(`${name}-`));
  const known = versions.find((file) => readFileSync(path.join(parent, file), 'utf8') === text);
  const file = known ?? `${name}-${versions.length + 1}.txt`;
  if (known === undefined) writeFileSync(path.join(parent, file), text);
  return `../${file}`;
}

function systemText({ system }: ModelRequest): string {
  return blocksOf(system)
    .map(({ text }) => String(text))
    .join('\n\n');
}

function toolsText(tools: readonly WireTool[]): string {
  return tools
    .map(({ name, description, input_schema }) =>
      [`# ${name}`, description, JSON.stringify(input_schema, null, 1)].join('\n\n'),
    )
    .join('\n\n');
}

function blockText({ role, block }: Block, request: ModelRequest): string {
  switch (block.type) {
    case 'text':
      return `── ${role}\n${String(block.text)}`;
    case 'tool_use':
      return `── ${role} calls ${String(block.name)}\n${JSON.stringify(block.input)}`;
    case 'tool_result': {
      const { block: called } =
        blocksIn(request).find(({ block: { id } }) => id === block.tool_use_id) ?? {};
      const texts = blocksOf(block.content).map((each) =>
        each.type === 'text' ? String(each.text) : `[${each.type}]`,
      );
      const failed = block.is_error === true ? ', which failed' : '';
      return `── result of ${String(called?.name)}${failed}\n${texts.join('\n')}`;
    }
    default:
      return `── ${role}\n[${block.type}]`;
  }
}

/** Waits for the file. One that is no answer is removed, and what is wrong with it written beside it. */
async function answerIn(file: string, signal: AbortSignal): Promise<Reply> {
  const problemFile = file.replace(/\.answer\.yaml$/, '.problem.txt');
  let tried: string | null = null;
  for (;;) {
    // An aborted request has no use for an answer.
    if (signal.aborted) return reply('Too late.');
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    // Read once it is unchanged between two looks, so that it is not half written.
    if (text !== '' && text === tried) {
      const read = readAnswer(text);
      if (typeof read !== 'string') {
        rmSync(problemFile, { force: true });
        return read;
      }
      writeFileSync(
        problemFile,
        `${read.trim()}\n\nExpected:\n\n${FORM}\n\nYour answer was:\n\n${text}\n`,
      );
      rmSync(file);
    }
    tried = text;
    await sleep(POLL_MS);
  }
}

/** Returns the reply, or why the text is none. */
export function readAnswer(text: string): Reply | string {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    return `This is not valid YAML: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (!isRecord(value)) return 'The answer has neither a text nor calls.';
  const { text: said = '', calls = [], ...more } = value;
  const [unknown] = Object.keys(more);
  if (unknown !== undefined) return `The answer has no field "${unknown}".`;
  if (typeof said !== 'string') return 'The text is not a string.';
  if (!Array.isArray(calls)) return 'The calls are not a list.';
  const made: ReturnType<typeof call>[] = [];
  for (const each of calls as unknown[]) {
    const [entry, ...others] = isRecord(each) ? Object.entries(each) : [];
    if (entry === undefined || others.length > 0) return 'A call is not one name with its input.';
    made.push(call(entry[0], entry[1] ?? {}));
  }
  if (said === '' && made.length === 0) return 'The answer has neither a text nor calls.';
  return reply(...(said === '' ? [] : [said]), ...made);
}
