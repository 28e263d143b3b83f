/** What was changed and what waits to be: the ledger, the edits in the notes, and what the person does with them. */
import type { LedgerEntry } from '#edits/change-log-files';
import { HeldProposals } from '#edits/detached-proposals';
import { Ledger } from '#edits/change-log';
import { PendingEdits } from '#edits/pending-edits';
import { PersonActs } from '#edits/user-decisions';
import type { Conversations } from '#conversations/repository';
import { Reviews } from './review-api';
import type { Runner } from '#queue/runner';
import { Undoing } from './undo-api';
import type { Ground } from './app-context';

export interface Changes {
  readonly ledger: Ledger;
  readonly held: HeldProposals;
  readonly pending: PendingEdits;
  readonly acts: PersonActs;
  tag(): string;
}

export function changesOf(ground: Ground): Changes {
  const { machine, notes, metadata, device, settings, report, plugin } = ground;
  const { clock, store } = machine;
  const now = () => clock.now();
  const folder = `${ground.folder}/ledger`;
  const ledger: Ledger = new Ledger(store, folder, device, clock, {
    most: () => settings().ledgerMegabytes * 1_000_000,
    isPending: ({ proposes }) => {
      const waiting = pending.all().flatMap(({ edits }) => edits.map(({ id }) => id));
      return proposes.some((id) => waiting.includes(id));
    },
  });
  notes.onChange((event) => {
    if (event.kind !== 'renamed') return;
    // One that can't be kept costs an undo that does not find its note.
    void ledger.renamed(event.from, event.path, now()).catch(() => undefined);
  });
  const acts = new PersonActs({ store, folder, device, ledger, notes, now });
  const held = new HeldProposals(ledger);
  const tag = () => settings().proposalTag;
  const pending = new PendingEdits({ notes, metadata, ledger, held, clock, tag });
  // Also where another process runs the vault's requests. Not waited for: a large vault takes its time.
  plugin.app.workspace.onLayoutReady(() => {
    void pending.start().catch((error: unknown) => {
      report(`Edits that wait could not be looked for. (${String(error)})`);
    });
  });
  plugin.register(() => pending.close());
  return { ledger, held, pending, acts, tag };
}

export interface Deciding {
  readonly reviews: Reviews;
  readonly undoing: Undoing;
  /** Finishes what a crash has left half done, before any turn goes on: it is to find its notes whole. */
  recover(): Promise<void>;
}

/** What the person decides on changes, now and after a crash. */
export function decidingOn(
  changes: Changes,
  { machine, notes, metadata, mint, device, report }: Ground,
  conversations: Conversations,
  runner: Runner,
): Deciding {
  const { clock } = machine;
  const standsBy = () => runner.standsBy;
  const common = { ...changes, notes, conversations, clock, mint, standsBy };
  const reviews = new Reviews({ ...common, device, current: () => runner.current() });
  const undoing = new Undoing({ ...common, metadata, running: () => runner.running?.turn ?? null });
  const tellAgain = async (entries: readonly LedgerEntry[]) => {
    await undoing.tellAgain(entries);
    await reviews.tellAgain(entries);
  };
  return {
    reviews,
    undoing,
    recover: () =>
      changes.acts.recover(tellAgain).catch((error: unknown) => {
        report(`What was interrupted could not be looked at. (${String(error)})`);
      }),
  };
}
