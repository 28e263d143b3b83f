/**
 * Runs the official conformance suite against the built plugin, through a proxy that adds the
 * token, since the suite sends none.
 *
 * The scenarios call tools by fixed names; two of them can be provided as notes of the custom tool
 * folder. Left out are scenarios for features that Parley's MCP server lacks: prompts, resources,
 * completion, logging, sampling and elicitation; tools that return the suite's own images, audio or
 * resources, report progress 0, 50 and 100, or use the suite's schema; and resumable streams, since
 * Parley keeps no answer for a client that has left.
 */
import { execFile } from 'node:child_process';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoModel } from '#workbench/model/demo';
import { openStage, type Reply, type Scenario } from '../headless/driver';
import { freePort } from './server/table';

const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-error',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];

const NOTES = {
  'Tools/Simple.md': note('test_simple_text', 'This is a simple text response for testing.'),
  'Tools/Error.md': note(
    'test_error_handling',
    'Never given.',
    'parameters:\n  what:\n    description: Must be there.\n',
  ),
};

function note(tool: string, text: string, more = ''): string {
  return `---\ntool: ${tool}\ndescription: For the suite.\n${more}---\n${text}\n`;
}

let stage: Scenario;
let proxy: http.Server;
let url: string;

beforeAll(async () => {
  stage = await openStage(demoModel(), NOTES);
  const settings = {
    mcpServerEnabled: true,
    mcpServerPort: await freePort(),
    customToolFolder: 'Tools',
  };
  const headless = await stage.start({ settings });
  const { token } = await headless.send<Reply & { token: string }>('mcp');
  const port = await freePort();
  proxy = withToken(token, port, settings.mcpServerPort);
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${port}/mcp`;
});

afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await stage[Symbol.asyncDispose]();
});

/**
 * A proxy that forwards everything unchanged, except that it adds the token and replaces its own
 * port in the Host header.
 */
function withToken(token: string, port: number, behind: number): http.Server {
  return http.createServer((incoming, outgoing) => {
    const host = incoming.headers.host?.replace(`:${port}`, `:${behind}`);
    const headers = { ...incoming.headers, host, authorization: `Bearer ${token}` };
    const { method, url: at } = incoming;
    const passed = http.request(
      { host: '127.0.0.1', port: behind, method, path: at, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
}

const require = createRequire(import.meta.url);

async function run(scenario: string): Promise<string> {
  const suite = path.join(
    path.dirname(require.resolve('@modelcontextprotocol/conformance/package.json')),
    'dist/index.js',
  );
  const hook = new URL('conformance-on-node-20.mjs', import.meta.url).href;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['--import', hook, suite, 'server', '--url', url, '--scenario', scenario],
  ]).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? String(error) }));
  return stdout;
}

describe('The conformance suite', () => {
  it.each(SCENARIOS)("Parley's MCP server passes %s", async (scenario) => {
    const said = await run(scenario);
    expect(said).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/);
  });
});
