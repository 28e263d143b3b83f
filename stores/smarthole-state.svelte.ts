/** SmartHole's status, as last reported by the bridge. */
import { smartHoleStatusText, type SmartHoleStatus } from '#model/smarthole-status';
import type { Agent } from '#ports/app/agent';

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

  /** SmartHole's rejection, unless the user has dismissed it; null if there is none. */
  get refusal(): Extract<SmartHoleStatus, { kind: 'refused' }> | null {
    const { state } = this;
    return state.kind === 'refused' && state.reason !== this.#dismissed ? state : null;
  }

  /** Whether reconnecting may help. */
  get canRetry(): boolean {
    const { state } = this;
    return (state.kind === 'connecting' && state.tries > 0) || state.kind === 'refused';
  }

  /** Sets the initial status, unless a newer one was reported already. */
  begin(state: SmartHoleStatus): void {
    this.#state ??= state;
  }

  retry(): void {
    this.#agent.voice.reconnect();
  }

  /** Dismisses the rejection until there is another reason. */
  dismiss(): void {
    if (this.state.kind === 'refused') this.#dismissed = this.state.reason;
  }
}
