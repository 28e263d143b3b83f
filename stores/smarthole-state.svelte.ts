/** How things stand with SmartHole, as the bridge last told it. */
import { smartHoleStatusText, type SmartHoleStatus } from '#model/smarthole-status';
import type { Agent } from '#ports/agent';

export class SmartHoleState {
  readonly #agent: Agent;
  readonly #unsubscribe: () => void;
  #state = $state<SmartHoleStatus | null>(null);
  #dismissed = $state('');

  constructor(agent: Agent) {
    this.#agent = agent;
    this.#unsubscribe = agent.voice.onStatus((state) => (this.#state = state));
  }

  close(): void {
    this.#unsubscribe();
  }

  get state(): SmartHoleStatus {
    return this.#state ?? { kind: 'off' };
  }

  get words(): { label: string; detail: string } {
    return smartHoleStatusText(this.state);
  }

  /** What was refused and not put away; null where nothing was. */
  get refusal(): Extract<SmartHoleStatus, { kind: 'refused' }> | null {
    const { state } = this;
    return state.kind === 'refused' && state.reason !== this.#dismissed ? state : null;
  }

  /** Whether trying it now may change anything. */
  get canRetry(): boolean {
    const { state } = this;
    return (state.kind === 'connecting' && state.tries > 0) || state.kind === 'refused';
  }

  /** How it stood when all was asked for; what was told since is newer. */
  begin(state: SmartHoleStatus): void {
    this.#state ??= state;
  }

  retry(): void {
    this.#agent.voice.reconnect();
  }

  /** Puts the refusal away until there is another. */
  dismiss(): void {
    if (this.state.kind === 'refused') this.#dismissed = this.state.reason;
  }
}
