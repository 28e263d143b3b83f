import type { CallResult } from '#model/message';
import type { ToolCase } from './tool-cases';
import { CASE_VAULT } from './tool-cases';
import { memoryBench } from './tools';

/** Runs a case in its own vault and returns the result. */
export async function runToolCase(toolCase: ToolCase): Promise<CallResult> {
  const bench = memoryBench(CASE_VAULT, { settings: toolCase.settings ?? {} });
  for (const [tool, input] of toolCase.before ?? []) await bench.call(tool, input);
  return bench.call(toolCase.tool, toolCase.input);
}
