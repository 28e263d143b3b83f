/** Finds the notes of passages today, under their current names, and compares both. */
import type { ChangeLog } from '#edits/change-log';
import { canHoldBlocks, readOwnEdits } from '#edits/own-edits';
import { textsOf } from '#model/edit/note-edits';
import { linesInFile } from '#model/edit/line-places';
import type { ActionResult } from '#model/failure';
import type { NotePassage, Passage } from '#model/passage';
import {
  checkPassage,
  checkQuotation,
  type NoteToday,
  type PassageCheck,
} from '#model/passage-check';
import { type SavedSource, savedSourcesIn } from '#model/saved-sources';
import { noteUnreadable } from '#messages/action-messages';
import type { CheckedSource, SourcesPort } from '#ports/app/sources-port';
import type { Metadata } from '#ports/metadata';
import { inSlices, type SliceClock, Slices } from '#ports/slices';
import type { NoteVault } from '#ports/vault';
import { noteName } from '#text/paths';
import type { ToolContexts } from './tool-context';

export interface SourceCheckDeps {
  readonly notes: Pick<NoteVault, 'get' | 'list' | 'read'>;
  readonly metadata: Pick<Metadata, 'resolve'>;
  readonly changeLog: Pick<ChangeLog, 'changes' | 'ownEdits'>;
  readonly toolContexts: Pick<ToolContexts, 'vault' | 'visiblePath' | 'movedTo'>;
  readonly clock: SliceClock;
}

/** Maximum notes of the same name or age in which a passage is looked for. */
const MAX_GUESSES = 50;

export class SourceCheck implements SourcesPort {
  readonly #deps: SourceCheckDeps;

  constructor(deps: SourceCheckDeps) {
    this.#deps = deps;
  }

  async check(
    passages: readonly Passage[],
  ): Promise<ActionResult<{ checks: readonly PassageCheck[] }>> {
    const checks: PassageCheck[] = [];
    const read = this.#reader();
    for (const passage of passages) {
      checks.push(await this.#checkOf(passage, read));
      await this.#deps.clock.pause();
    }
    return { ok: true, checks };
  }

  async checkNote(path: string): Promise<ActionResult<{ sources: readonly CheckedSource[] }>> {
    const note = await this.#deps.notes.read(path);
    if (!note.ok) return { ok: false, reason: noteUnreadable };
    const read = this.#reader();
    const sources: CheckedSource[] = [];
    for (const source of savedSourcesIn(note.value.text)) {
      sources.push({ source, check: await this.#checkSaved(source, path, read) });
      await this.#deps.clock.pause();
    }
    return { ok: true, sources };
  }

  async #checkOf(passage: Passage, read: ReadToday): Promise<PassageCheck> {
    if (passage.kind !== 'note') return { kind: 'outside' };
    const found: NoteToday[] = [];
    for (const path of await this.#pathsOf(passage)) found.push(...(await read(path)));
    const sure = await this.#run(checkPassage(passage, found));
    if (sure.kind !== 'gone') return sure;
    const guessed = await this.#guessed(passage, read);
    // A note that is there is not the one that was moved.
    found.push(...guessed.filter((each) => found.length === 0 || each.kind === 'text'));
    return this.#run(checkPassage(passage, found));
  }

  async #checkSaved(
    { place, quotation: text }: SavedSource,
    from: string,
    read: ReadToday,
  ): Promise<PassageCheck> {
    if (place.kind !== 'note') return { kind: 'outside' };
    const path = this.#deps.metadata.resolve(place.link, from);
    const found = path === null ? [] : await read(path);
    const quotation = { text, subpath: place.subpath };
    const check = await this.#run(checkQuotation(quotation, found));
    if (found.length > 0) return check;
    // The link does not follow a note that was moved while Obsidian was closed.
    const notes = await this.#guessed({ path: place.link, created: 0 }, read);
    const guessed = await this.#run(checkQuotation(quotation, notes));
    return guessed.kind === 'unchanged' ? { ...guessed, kind: 'moved' } : guessed;
  }

  /** Where the note of a passage is or was, the likeliest first. */
  async #pathsOf({ path, date }: NotePassage): Promise<ReadonlySet<string>> {
    const { changeLog, toolContexts } = this.#deps;
    // Without the change log, only moves since the start are known.
    const list = await changeLog.changes().catch(() => null);
    const moved = [toolContexts.movedTo(path), list?.placeSince(date, path)];
    return new Set([path, ...moved.flatMap((each) => each ?? [])]);
  }

  #run(steps: Iterator<void, PassageCheck>): Promise<PassageCheck> {
    return inSlices(steps, new Slices(this.#deps.clock));
  }

  /** Those that are excluded are last: the passage may be in one of them if it is in no other. */
  async #guessed(note: KnownNote, read: ReadToday): Promise<readonly NoteToday[]> {
    const found: NoteToday[] = [];
    let isHidden = false;
    for (const path of this.#guesses(note))
      for (const each of await read(path)) {
        if (each.kind === 'text') found.push({ ...each, isGuess: true });
        if (each.kind === 'hidden') isHidden = true;
      }
    return isHidden ? [...found, { kind: 'hidden' }] : found;
  }

  /** Other notes of the same name, or created at the same time. */
  #guesses({ path, created }: KnownNote): readonly string[] {
    const name = noteName(path);
    return this.#deps.notes
      .list()
      .filter(
        (each) =>
          each.kind === 'file' &&
          each.path !== path &&
          ((created > 0 && each.created === created) || noteName(each.path) === name),
      )
      .slice(0, MAX_GUESSES)
      .map((each) => each.path);
  }

  /** Reads notes as they are today, each once; empty if there is no such note. */
  #reader(): ReadToday {
    const known = new Map<string, Promise<readonly NoteToday[]>>();
    return (path) => {
      const reading = known.get(path) ?? this.#read(path);
      known.set(path, reading);
      return reading;
    };
  }

  async #read(path: string): Promise<readonly NoteToday[]> {
    const { notes, toolContexts, changeLog } = this.#deps;
    if (notes.get(path)?.kind !== 'file') return [];
    if ((await toolContexts.visiblePath(path)) === null) return [{ kind: 'hidden' }];
    const read = await notes.read(path);
    if (!read.ok) return read.reason.kind === 'missing' ? [] : [{ kind: 'unreadable', path }];
    // The note may have the tag that hides it only since a moment ago.
    if (!(await toolContexts.vault().read(path)).ok) return [{ kind: 'hidden' }];
    const { text } = read.value;
    if (!canHoldBlocks(path)) return [{ kind: 'text', path, text }];
    const edits = await readOwnEdits(path, text, changeLog);
    const { before, after } = textsOf(edits);
    // As the model reads it, and as it is until the user accepts the edits.
    const sides = before === after ? (['after'] as const) : (['after', 'before'] as const);
    return sides.map((side) => ({
      ...{ kind: 'text', path, text: side === 'after' ? after : before },
      fileLine: linesInFile(edits, side),
    }));
  }
}

type KnownNote = Pick<NotePassage, 'path' | 'created'>;

type ReadToday = (path: string) => Promise<readonly NoteToday[]>;
