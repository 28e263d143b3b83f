/** SmartHole's status, as last reported by the bridge. */
import { smartHoleStatusText } from '#messages/smarthole-status-text';
import { isReachable, SMARTHOLE_SEEN, type SmartHoleStatus } from '#model/smarthole-status';
import type { Agent } from '#ports/app/agent';
import type { Ui } from '#ports/ui';

export class SmartHoleState {
  readonly #agent: Agent;
  readonly #ui: Pick<Ui, 'hasSeen' | 'setSeen'>;
  readonly #unsubscribe: () => void;
  #state = $state<SmartHoleStatus | null>(null);
  #dismissed = $state('');
  #isSeen = $state(false);

  constructor(agent: Agent, ui: Pick<Ui, 'hasSeen' | 'setSeen'>) {
    this.#agent = agent;
    this.#ui = ui;
    this.#isSeen = ui.hasSeen(SMARTHOLE_SEEN);
    this.#unsubscribe = agent.voice.onStatus((state) => this.#set(state));
  }

  #set(state: SmartHoleStatus): void {
    this.#state = state;
    this.#isSeen ||= this.#ui.hasSeen(SMARTHOLE_SEEN) || isReachable(state);
    if (isReachable(state)) this.#ui.setSeen(SMARTHOLE_SEEN);
  }

  /** Users who never had SmartHole running, or turned voice on, do not see its status. */
  get isVisible(): boolean {
    return this.#isSeen;
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
    if (this.#state === null) this.#set(state);
  }

  retry(): void {
    this.#agent.voice.reconnect();
  }

  /** Dismisses the rejection until there is another reason. */
  dismiss(): void {
    if (this.state.kind === 'refused') this.#dismissed = this.state.reason;
  }
}
