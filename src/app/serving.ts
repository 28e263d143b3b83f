/** All that serving programs needs which nothing needs before. */
export { McpCalls as ClientCalls } from '#queue/mcp-calls';
export { MCP_PATH, McpServing as ToolServing } from './mcp-serving';
