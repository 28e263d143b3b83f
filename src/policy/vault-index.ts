/** What listings and queries look up instead of walking the vault. One for the whole vault. */
import type { Metadata } from '#ports/metadata';
import type { NoteVault } from '#ports/vault';
import { NoteFacts } from './note-facts';
import { VisibleNotes, type WorkClock } from './visible-notes';

export class VaultIndex {
  readonly visible: VisibleNotes;
  readonly facts: NoteFacts;
  readonly clock: WorkClock;

  constructor(notes: NoteVault, metadata: Metadata, clock: WorkClock) {
    this.clock = clock;
    this.facts = new NoteFacts(metadata, clock);
    this.visible = new VisibleNotes(notes, clock, (path) => this.facts.touch(path));
  }
}
