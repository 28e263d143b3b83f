/** Builds the plugin and the workbench once, before any worker asks for them. */
import { ensureBuilt, ensureWorkbench } from '../workbench/build/ensure-built.mjs';

export default async function setup(): Promise<void> {
  await ensureBuilt();
  await ensureWorkbench();
}
