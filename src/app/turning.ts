/** All that a turn needs which nothing needs before the first. */
export { ALL_TOOLS } from '#tools/all-tools';
export { CustomTools } from '#tools/custom/custom-tools';
export { permissionKey, ToolRegistry } from '#tools/registry';
export { ServerTools } from '#tools/mcp/server-tools';
export { textOf } from './notes-text';
export { DirectCalls as DirectTools } from '#tools/direct-calls';
export { ToolContexts as ToolRoom } from '#tools/tool-context';
export { TurnRunner } from '#queue/turn-runner';
