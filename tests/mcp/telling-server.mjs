/** An MCP server that tells its variable `WORD` wherever it can: in results, errors and on stderr. */
import { createInterface } from 'node:readline';

const word = process.env['WORD'] ?? '';
process.stderr.write(`My word is ${word}.\n`);
const tools = ['tell', 'fail', 'die'].map((name) => ({
  ...{ name, description: `${name} ${word}` },
  inputSchema: { type: 'object', properties: {} },
}));

/** @param {{ id?: number, method?: string, params?: any }} request */
function answer({ id, method, params }) {
  if (id === undefined) return;
  const send = (/** @type {object} */ body) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`);
  if (method === 'initialize') {
    const { protocolVersion } = params;
    const serverInfo = { name: word, version: '1' };
    send({
      result: { protocolVersion, capabilities: { tools: {} }, serverInfo, instructions: word },
    });
  } else if (method === 'tools/list') send({ result: { tools } });
  else if (params?.name === 'fail') send({ error: { code: -32603, message: `No: ${word}` } });
  else if (params?.name === 'die') {
    process.stderr.write(`I die with ${word}\n`);
    process.exit(3);
  } else send({ result: { content: [{ type: 'text', text: `The word is ${word}.` }] } });
}

createInterface({ input: process.stdin }).on('line', (line) => answer(JSON.parse(line)));
