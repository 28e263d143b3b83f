/** Reads from a CPU profile of Chromium whose script ran. */
import type { Task } from '../streaming/trace';

/** The part that is read of what `Profiler.stop` returns. Times in microseconds. */
export interface Profile {
  readonly startTime: number;
  readonly nodes: readonly ProfileNode[];
  /** Nodes that ran, by id. */
  readonly samples?: readonly number[];
  /** Times since the sample before. */
  readonly timeDeltas?: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly url: string };
  readonly children?: readonly number[];
}

/**
 * For each task, the time in microseconds that the script of the plugin took, with the functions of
 * the browser that it called.
 *
 * @param tasks in order
 */
export function pluginTimes(profile: Profile, tasks: readonly Task[]): number[] {
  const own = pluginNodes(profile.nodes);
  const times = tasks.map(() => 0);
  let [now, at] = [profile.startTime, 0];
  profile.samples?.forEach((id, sample) => {
    const passed = profile.timeDeltas?.[sample] ?? 0;
    now += passed;
    while (at < tasks.length && (tasks[at]?.end ?? 0) < now) at += 1;
    if (own.has(id) && now >= (tasks[at]?.start ?? Infinity)) times[at] = (times[at] ?? 0) + passed;
  });
  return times;
}

/** Nodes of which the innermost script on the stack is the plugin's. */
function pluginNodes(nodes: readonly ProfileNode[]): ReadonlySet<number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const own = new Set<number>();
  const visit = (node: ProfileNode, isInPlugin: boolean) => {
    const { url } = node.callFrame;
    const isOwn = url === '' ? isInPlugin : url.startsWith('plugin:');
    if (isOwn) own.add(node.id);
    for (const child of node.children ?? []) {
      const next = byId.get(child);
      if (next) visit(next, isOwn);
    }
  };
  const [root] = nodes;
  if (root) visit(root, false);
  return own;
}
