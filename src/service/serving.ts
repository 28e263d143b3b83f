/** All that serving programs needs which nothing needs before. */
export { ClientCalls } from './client-calls';
export { MCP_PATH, ToolServing } from './tool-serving';
