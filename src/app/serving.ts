/** All that serving programs needs which nothing needs before. */
export { ClientCalls } from '#queue/mcp-calls';
export { MCP_PATH, ToolServing } from './mcp-serving';
