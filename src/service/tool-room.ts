/** Everything a tool needs around it, made ready for one call. */
import type { CallOrigin } from '#model/change';
import type { ConversationId, DeviceId, MintId } from '#model/ids';
import type { Settings } from '#model/settings';
import type { Clock } from '#ports/clock';
import type { History } from '#ports/history';
import type { Metadata } from '#ports/metadata';
import type { Notes } from '#ports/notes';
import { VaultAccess, type Carry } from '#policy/vault-access';
import { applyChange } from '#review/apply-change';
import type { Ledger } from '#review/ledger';
import { linkingNotes } from '#review/linking-notes';
import { ReadMemory } from '#tools/read-memory';
import type { ToolContext } from '#tools/tool';
import type { VaultSearch } from '#tools/vault-search';

export interface ToolRoomParts {
  readonly notes: Notes;
  readonly metadata: Metadata;
  readonly ledger: Ledger;
  readonly search: VaultSearch;
  readonly history: History;
  readonly clock: Clock;
  readonly mint: MintId;
  readonly device: DeviceId;
  readonly configDir: string;
  settings(): Settings;
}

export class ToolRoom {
  readonly #parts: ToolRoomParts;
  /** What the agent has read, per conversation. */
  readonly #reads = new Map<ConversationId, ReadMemory>();

  constructor(parts: ToolRoomParts) {
    this.#parts = parts;
  }

  context(origin: Omit<CallOrigin, 'device'>, signal: AbortSignal): ToolContext {
    const { notes, metadata, search, history, clock, configDir, settings } = this.#parts;
    const vault = new VaultAccess(notes, metadata, () => ({ configDir }), this.#carry(origin));
    return {
      vault,
      search,
      history,
      conversation: origin.conversation,
      reads: this.#readsOf(origin.conversation),
      settings: settings(),
      clock,
      signal,
    };
  }

  #carry(origin: Omit<CallOrigin, 'device'>): Carry {
    const { ledger, notes, metadata, clock, mint, device } = this.#parts;
    return async (effect) => {
      const id = mint('change');
      const whole =
        effect.kind === 'move'
          ? { ...effect, linking: await linkingNotes(effect.path, notes, metadata) }
          : effect;
      const change = { ...whole, id, time: clock.now(), origin: { ...origin, device } };
      const result = await applyChange(change, ledger, notes);
      return result.ok ? { ok: true, id } : { ok: false, problem: result.problem };
    };
  }

  #readsOf(conversation: ConversationId): ReadMemory {
    const reads = this.#reads.get(conversation) ?? new ReadMemory();
    this.#reads.set(conversation, reads);
    return reads;
  }
}
