/** Compares the sources of answers with the notes as they are today. */
import type { Passage } from '#model/passage';
import type { PassageCheck } from '#model/passage-check';
import type { SavedSource } from '#model/saved-sources';
import type { ActionResult } from '#model/failure';

export interface CheckedSource {
  readonly source: SavedSource;
  readonly check: PassageCheck;
}

export interface SourcesPort {
  /** What each of the passages is today, in their order. */
  check(passages: readonly Passage[]): Promise<ActionResult<{ checks: readonly PassageCheck[] }>>;
  /** The same for the footnotes of the answers that are saved in a note, in their order. */
  checkNote(path: string): Promise<ActionResult<{ sources: readonly CheckedSource[] }>>;
}
