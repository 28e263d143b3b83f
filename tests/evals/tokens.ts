/** Estimates the tokens of the prompt, the tools and the results, from the solutions of the tasks. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { estimateTokens } from '#agent/token-estimate';
import { startModelServer } from '#workbench/model/server';
import { blocksOf, type ModelRequest } from '#workbench/model/wire';
import type { NamedTask } from './bench';
import type { Built } from './drivers';
import { DEFAULT_MODEL } from './options';
import type { RunCall } from './outcome';
import { play } from './play';
import { scriptedPolicy } from './scripted-policy';
import { categoryOf, table } from './tables';

/** Tokens of the last request of a task, which has the history once, and of all results. */
interface Parts {
  readonly requests: number;
  readonly system: number;
  readonly tools: number;
  /** What Parley and the user say. */
  readonly messages: number;
  readonly replies: number;
  readonly results: number;
}

export interface TaskTokens extends Parts {
  readonly task: string;
  readonly resultsByTool: ReadonlyMap<string, number>;
}

export interface TokenReport {
  readonly tasks: readonly TaskTokens[];
  /** Tokens of each tool's definition. */
  readonly tools: ReadonlyMap<string, number>;
}

export async function countTokens(tasks: readonly NamedTask[], built: Built): Promise<TokenReport> {
  const server = await startModelServer({ respond: scriptedPolicy([]) });
  const counted: TaskTokens[] = [];
  let tools = new Map<string, number>();
  try {
    for (const { id, task } of tasks) {
      const from = server.requests.length;
      server.setRespond(scriptedPolicy(task.solution));
      const folder = mkdtempSync(path.join(tmpdir(), 'parley-evals-'));
      const endpoint = { apiUrl: server.url, apiKey: null };
      const options = { built, endpoint, settings: { model: DEFAULT_MODEL }, folder };
      const { outcome } = await play(task, options);
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      const requests = server.requests
        .slice(from)
        .map(({ body }) => body)
        .filter((body) => (body.tools ?? []).length > 0);
      const last = requests.at(-1);
      if (!last) continue;
      const resultsByTool = tokensByTool(outcome.calls);
      const results = sum([...resultsByTool.values()]);
      counted.push({
        task: id,
        requests: requests.length,
        ...partsOf(last),
        results,
        resultsByTool,
      });
      tools = new Map((last.tools ?? []).map((tool) => [tool.name, tokensOf(tool)]));
    }
  } finally {
    await server.close();
  }
  return { tasks: counted, tools };
}

function partsOf(request: ModelRequest): Omit<Parts, 'requests' | 'results'> {
  const { messages, system, tools = [] } = request;
  const blocks = messages.flatMap(({ role, content }) =>
    blocksOf(content).map((block) => ({ role, block })),
  );
  const said = blocks.filter(({ role, block }) => role === 'user' && block.type !== 'tool_result');
  const replies = blocks.filter(({ role }) => role === 'assistant');
  return {
    system: tokensOf(system ?? ''),
    tools: sum(tools.map(tokensOf)),
    messages: sum(said.map(({ block }) => tokensOf(block))),
    replies: sum(replies.map(({ block }) => tokensOf(block))),
  };
}

function tokensByTool(calls: readonly RunCall[]): Map<string, number> {
  const tokens = new Map<string, number>();
  for (const { name, text } of calls) {
    tokens.set(name, (tokens.get(name) ?? 0) + estimateTokens(text));
  }
  return tokens;
}

export function tokensText({ tasks, tools }: TokenReport): string {
  const categories = [...new Set(tasks.map(categoryOf))];
  const row = (name: string, own: readonly TaskTokens[]): string[] => {
    const mean = (part: (parts: TaskTokens) => number) => sum(own.map(part)) / own.length;
    return [
      name,
      String(own.length),
      mean(({ requests }) => requests).toFixed(1),
      ...PARTS.map((part) => Math.round(mean((each) => each[part])).toLocaleString('en-US')),
    ];
  };
  const byPart = table(
    ['means of', 'tasks', 'requests', ...PARTS],
    [
      ...categories.map((name) =>
        row(
          name,
          tasks.filter((each) => categoryOf(each) === name),
        ),
      ),
      row('all', tasks),
    ],
  );
  const byTool = table(
    ['tool', 'definition', 'tasks that use it', 'mean result'],
    [...tools]
      .sort(([, a], [, b]) => b - a)
      .map(([name, tokens]) => {
        const results = tasks.flatMap(({ resultsByTool }) => resultsByTool.get(name) ?? []);
        const mean = results.length === 0 ? '' : String(Math.round(sum(results) / results.length));
        return [name, String(tokens), String(results.length), mean];
      }),
  );
  return `${byPart}\n\n${byTool}`;
}

const PARTS = ['system', 'tools', 'messages', 'replies', 'results'] as const;

function tokensOf(value: unknown): number {
  return estimateTokens(typeof value === 'string' ? value : JSON.stringify(value));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
