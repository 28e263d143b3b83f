/** A small in-memory vault and fake tools that answer in text like the real ones. */
import { compileGlob } from '#search/globs';
import { demoReply } from '#workbench/model/demo';
import type { CallBlock } from '#workbench/model/replies';
import { requestValidator } from '#workbench/model/request-validator';
import type { ModelRequest, WireBlock, WireMessage } from '#workbench/model/wire';

export type Notes = Map<string, string>;
type Input = { readonly [field: string]: unknown };
export interface FakeToolResult {
  readonly content: string;
  readonly is_error?: boolean;
}
export interface FakeOptions {
  readonly answer?: string;
  /** Separates a line number from its line. */
  readonly separator?: string;
  /**
   * Answers in place of the tool, unless it returns undefined. `time` counts the calls of this tool
   * from 1.
   */
  readonly instead?: (name: string, input: Input, time: number) => FakeToolResult | undefined;
  readonly agents?: boolean;
}

const NAMES = [
  'read_file',
  'write_file',
  'edit_file',
  'list_files',
  'search_files',
  'move',
  'delete',
  'plan',
  'ask_user',
  'done',
];
const AGENTS: Readonly<Record<string, readonly string[]>> = {
  note_reader: ['read_file'],
  note_editor: ['write_file', 'edit_file'],
  vault_librarian: ['list_files', 'search_files'],
  vault_manager: ['move', 'delete'],
  conversation: ['plan', 'ask_user', 'done'],
};
const error = (content: string): FakeToolResult => ({ content, is_error: true });

function edited(text: string, edit: Input): string | undefined {
  const { old_text: old, new_text: replacement, position, content } = edit;
  if (typeof old === 'string') {
    return text.split(old).length === 2 ? text.replace(old, () => String(replacement)) : undefined;
  }
  const lines = text.split('\n');
  const [kind, at] = String(position).split(':');
  const line = Number(at) - 1;
  if (kind === 'end') return `${text.replace(/\n*$/, '')}\n${String(content)}\n`;
  if (kind === 'insert') lines.splice(line, 0, String(content));
  else if (kind === 'replace') lines.splice(line, 1, String(content));
  else if (kind === 'delete') lines.splice(line, 1);
  else return undefined;
  return lines.join('\n');
}

function run(notes: Notes, name: string, input: Input, options: FakeOptions): FakeToolResult {
  const path = String(input.path);
  const text = notes.get(path);
  const paths = [...notes.keys()];
  switch (name) {
    case 'list_files': {
      const asked = compileGlob(String(input.pattern));
      const found = paths.filter((one) => asked.ok && asked.glob.matches(one));
      const lines = found.map((one) => `${one}  (note, 2026-11-12)`);
      return { content: `${found.length} files\n${lines.join('\n')}` };
    }
    case 'search_files': {
      const pattern = new RegExp(String(input.pattern), 'i');
      const hits = [...notes].flatMap(([one, whole]) => {
        const lines = whole.split('\n').flatMap((line, at) => {
          return pattern.test(line) ? [`  ${at + 1}: ${line}`] : [];
        });
        return lines.length > 0 ? [one, ...lines, ''] : [];
      });
      return { content: hits.length > 0 ? hits.join('\n') : 'No matches.' };
    }
    case 'read_file': {
      if (text === undefined) {
        const close = paths.find((one) => one.toLowerCase() === path.toLowerCase()) ?? paths[0];
        return error(`\`${path}\` does not exist. Close matches: \`${close}\`.`);
      }
      const lines = text.replace(/\n$/, '').split('\n');
      const numbered = lines.map(
        (line, at) => `${String(at + 1).padStart(5)}${options.separator ?? '\t'}${line}`,
      );
      return { content: `${path} (lines 1 to ${lines.length})\n${numbered.join('\n')}` };
    }
    case 'edit_file': {
      let next: string | undefined = text;
      for (const edit of input.edits as Input[]) {
        next = next === undefined ? undefined : edited(next, edit);
      }
      if (next === undefined) return error('The edit does not apply.');
      notes.set(path, next);
      return { content: 'Changed 1 note.' };
    }
    case 'write_file':
      notes.set(path, String(input.content));
      return { content: `Created ${path}.` };
    case 'move':
      if (notes.has(String(input.destination))) return error('There is a note already.');
      notes.set(String(input.destination), notes.get(String(input.source)) ?? '');
      notes.delete(String(input.source));
      return { content: `Moved to ${String(input.destination)}. 2 links updated.` };
    case 'delete':
      notes.delete(path);
      return { content: `Deleted ${path}.` };
    case 'ask_user':
      return { content: `The user said: ${options.answer ?? ''}` };
    default:
      return { content: 'Noted.' };
  }
}

function toolOf(name: string, properties: Input = {}) {
  return { name, input_schema: { type: 'object', properties } };
}

function agentTools() {
  return Object.entries(AGENTS).map(([name, modes]) => toolOf(name, { mode: { enum: modes } }));
}

/** Runs one turn of the demo model and validates each of its requests. */
export function playDemoTurn(notes: Notes, said: string, options: FakeOptions = {}) {
  const validator = requestValidator();
  const messages: WireMessage[] = [{ role: 'user', content: said }];
  const tools = options.agents ? agentTools() : NAMES.map((name) => toolOf(name));
  const made: { name: string; input: Input }[] = [];
  const violations: string[] = [];
  for (let calls = 1; calls <= 12; calls += 1) {
    const body: ModelRequest = {
      model: 'claude-sonnet-5-5',
      max_tokens: 1_000,
      stream: true,
      tools,
      messages: [...messages],
    };
    const headers = {
      authorization: 'Bearer k',
      'anthropic-version': '2026-10-21',
      'content-type': 'application/json',
    };
    violations.push(...validator.check({ headers, body }));
    const reply = demoReply(body);
    const content = reply.blocks.map((block, at): WireBlock =>
      block.type === 'tool_use' ? { ...block, id: `t${calls}_${at}` } : { ...block },
    );
    validator.sent(body, { content, stopReason: reply.stopReason, cut: false });
    messages.push({ role: 'assistant', content });
    const uses = content.filter(({ type }) => type === 'tool_use') as (CallBlock & WireBlock)[];
    const text = content.map((block) => (block.type === 'text' ? String(block.text) : '')).join('');
    const last = uses.find(({ name, input }) => [name, (input as Input).mode].includes('done'));
    if (uses.length === 0 || last) {
      const end = (last?.input ?? {}) as { summary?: string; outcome?: string };
      return { made, text, calls, violations, messages, ...end };
    }
    const results = uses.map((use): WireBlock => {
      const input = use.input as Input;
      const name = String(input.mode ?? use.name);
      made.push({ name, input });
      const time = made.filter((one) => one.name === name).length;
      const answered = options.instead?.(name, input, time) ?? run(notes, name, input, options);
      return { type: 'tool_result', tool_use_id: use.id, ...answered };
    });
    messages.push({ role: 'user', content: results });
  }
  throw new Error('The demo model did not come to an end.');
}
