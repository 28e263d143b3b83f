/**
 * Writes the log from the events of conversations and the states of connections. Only kinds, counts
 * and durations are taken from them.
 */
import type { Event } from '#model/event';
import { callId } from '#model/ids';
import type { ServerStatus } from '#model/mcp-server';
import type { Log } from '#model/log';
import type { SmartHoleStatus } from '#model/smarthole-status';

export interface ActivityLogDeps {
  readonly log: Log;
  /** Whether a tool is Parley's own, so that its name is not from outside. */
  isOwnTool(name: string): boolean;
}

export class ActivityLog {
  readonly #deps: ActivityLogDeps;
  /** When each open turn, step and call began. */
  readonly #began = new Map<string, number>();
  /** Names of the open calls. */
  readonly #tools = new Map<string, string>();
  readonly #servers = new Map<string, string>();
  #smartHole = '';

  constructor(deps: ActivityLogDeps) {
    this.#deps = deps;
  }

  take(event: Event): void {
    const { log } = this.#deps;
    switch (event.type) {
      case 'turn-start': {
        const { source, attachments } = event.request;
        this.#began.set(event.turn, event.time);
        log.add({
          ...{ area: 'requests', what: 'turn-start' },
          facts: { source, mode: event.mode, attempt: event.attempt, files: attachments.length },
        });
        return;
      }
      case 'turn-end': {
        const { end } = event;
        const why = end.kind === 'failed' ? end.failure.kind : undefined;
        const outcome = end.kind === 'completed' ? end.outcome : undefined;
        const limit = end.kind === 'limited' ? end.reason : undefined;
        log.add({
          ...{ area: 'requests', what: 'turn-end', isProblem: why !== undefined },
          facts: { end: end.kind, outcome, limit, why, ms: this.#took(event.turn, event.time) },
        });
        return;
      }
      case 'interaction-start':
        log.add({
          ...{ area: 'requests', what: 'asks' },
          facts: { kind: event.interaction.kind },
        });
        return;
      case 'interaction-end':
        log.add({
          ...{ area: 'requests', what: 'asked' },
          facts: {
            by: event.resolution.kind,
            choice: event.resolution.kind === 'choice' ? event.resolution.choice : undefined,
          },
        });
        return;
      case 'step-start':
        this.#began.set(`${event.turn} ${event.step}`, event.time);
        return;
      case 'step-end': {
        const { input, output, cacheRead, cacheWrite } = event.usage;
        const ms = this.#took(`${event.turn} ${event.step}`, event.time);
        log.add({
          ...{ area: 'model', what: 'step' },
          facts: { stop: event.stop, input, output, cacheRead, cacheWrite, ms },
        });
        return;
      }
      case 'step-void':
        log.add({
          ...{ area: 'model', what: 'step-void', isProblem: true },
          facts: {
            why: event.failure.kind,
            ms: this.#took(`${event.turn} ${event.step}`, event.time),
          },
        });
        return;
      case 'retry-start':
        log.add({
          ...{ area: 'model', what: 'retry', isProblem: true },
          facts: { why: event.failure.kind, attempt: event.attempt, of: event.of },
        });
        return;
      case 'compaction-end':
        log.add({ area: 'model', what: 'compaction', facts: { why: event.why } });
        return;
      case 'call-start':
        this.#began.set(event.call, event.time);
        return;
      case 'call-end': {
        const { failed, details } = event.result;
        const why = details?.kind === 'failed' ? details.why : failed ? details?.kind : undefined;
        log.add({
          ...{ area: 'tools', what: 'call', isProblem: failed },
          facts: { tool: this.#toolOf(event.call), why, ms: this.#took(event.call, event.time) },
        });
        return;
      }
      case 'part-end':
        if (event.part.type === 'call') {
          const { name } = event.part;
          const id = callId(event.turn, event.step, event.index);
          this.#tools.set(id, this.#deps.isOwnTool(name) ? name : '(other)');
        }
        return;
      default:
        return;
    }
  }

  connection(status: SmartHoleStatus): void {
    if (status.kind === this.#smartHole) return;
    this.#smartHole = status.kind;
    this.#deps.log.add({
      ...{ area: 'voice', what: 'smarthole', isProblem: status.kind === 'refused' },
      facts: { state: status.kind },
    });
  }

  servers(statuses: ReadonlyMap<string, ServerStatus>): void {
    for (const [id, status] of statuses) {
      if (this.#servers.get(id) === status.kind) continue;
      this.#servers.set(id, status.kind);
      this.#deps.log.add({
        ...{ area: 'mcp', what: 'server', isProblem: status.kind === 'down' },
        facts: {
          server: [...statuses.keys()].indexOf(id) + 1,
          state: status.kind,
          tools: status.kind === 'up' ? status.tools.length : undefined,
        },
      });
    }
  }

  #toolOf(call: string): string {
    const tool = this.#tools.get(call) ?? 'unknown';
    this.#tools.delete(call);
    return tool;
  }

  #took(id: string, time: number): number | undefined {
    const began = this.#began.get(id);
    this.#began.delete(id);
    return began === undefined ? undefined : time - began;
  }
}
