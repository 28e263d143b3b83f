/**
 * Writes the log from the events of conversations and the states of connections. Only kinds, counts
 * and durations are taken from them.
 */
import type { Event } from '#model/event';
import { callId } from '#model/ids';
import type { ServerStatus } from '#model/mcp-server';
import type { Log, LogEntry } from '#model/log';
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
    const { time } = event;
    switch (event.type) {
      case 'turn-start': {
        const { source, attachments } = event.request;
        const { mode, attempt } = event;
        this.#began.set(event.turn, time);
        this.#add('requests', 'turn-start', { source, mode, attempt, files: attachments.length });
        return;
      }
      case 'turn-end': {
        const { end } = event;
        const why = end.kind === 'failed' ? end.failure.kind : undefined;
        const outcome = end.kind === 'completed' ? end.outcome : undefined;
        const limit = end.kind === 'limited' ? end.reason : undefined;
        const facts = { end: end.kind, outcome, limit, why, ms: this.#took(event.turn, time) };
        this.#add('requests', 'turn-end', facts, why !== undefined);
        return;
      }
      case 'interaction-start':
        this.#add('requests', 'asks', { kind: event.interaction.kind });
        return;
      case 'interaction-end': {
        const { resolution } = event;
        const choice = resolution.kind === 'choice' ? resolution.choice : undefined;
        this.#add('requests', 'asked', { by: resolution.kind, choice });
        return;
      }
      case 'step-start':
        this.#began.set(`${event.turn} ${event.step}`, time);
        return;
      case 'step-end': {
        const { input, output, cacheRead, cacheWrite } = event.usage;
        const ms = this.#took(`${event.turn} ${event.step}`, time);
        const facts = { stop: event.stop, input, output, cacheRead, cacheWrite, ms };
        this.#add('model', 'step', facts);
        return;
      }
      case 'step-void': {
        const ms = this.#took(`${event.turn} ${event.step}`, time);
        this.#add('model', 'step-void', { why: event.failure.kind, ms }, true);
        return;
      }
      case 'retry-start': {
        const { failure, attempt, of } = event;
        this.#add('model', 'retry', { why: failure.kind, attempt, of }, true);
        return;
      }
      case 'compaction-end':
        this.#add('model', 'compaction', { why: event.why });
        return;
      case 'call-start':
        this.#began.set(event.call, time);
        return;
      case 'call-end': {
        const { failed, details } = event.result;
        const why = details?.kind === 'failed' ? details.why : failed ? details?.kind : undefined;
        const facts = { tool: this.#toolOf(event.call), why, ms: this.#took(event.call, time) };
        this.#add('tools', 'call', facts, failed);
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

  connection({ kind }: SmartHoleStatus): void {
    if (kind === this.#smartHole) return;
    this.#smartHole = kind;
    this.#add('voice', 'smarthole', { state: kind }, kind === 'refused');
  }

  servers(statuses: ReadonlyMap<string, ServerStatus>): void {
    for (const [at, [id, status]] of [...statuses].entries()) {
      const { kind } = status;
      if (this.#servers.get(id) === kind) continue;
      this.#servers.set(id, kind);
      const tools = kind === 'up' ? status.tools.length : undefined;
      this.#add('mcp', 'server', { server: at + 1, state: kind, tools }, kind === 'down');
    }
  }

  #add(area: LogEntry['area'], what: string, facts: LogEntry['facts'], isProblem = false): void {
    this.#deps.log.add({ area, what, facts, isProblem });
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
