/** Decisions about pending edits, and undo, as one port for the screen. */
import type { EditsPort } from '#ports/app/edits-port';
import { resultOrProblem } from './action-result';
import type { ReviewApi } from './pending-edits-api';
import type { UndoApi } from './undo-api';

export class EditsApi implements EditsPort {
  readonly pending: EditsPort['pending'];
  readonly onChange: EditsPort['onChange'];
  readonly accept: EditsPort['accept'];
  readonly reject: EditsPort['reject'];
  readonly amend: EditsPort['amend'];
  readonly undo: EditsPort['undo'];
  readonly noteHistory: EditsPort['noteHistory'];
  readonly changeTexts: EditsPort['changeTexts'];
  readonly undoneAmong: EditsPort['undoneAmong'];

  constructor(reviews: ReviewApi, undoing: UndoApi) {
    this.pending = () => reviews.pending();
    this.onChange = (listener) => reviews.onChange(listener);
    this.accept = (choice) => reviews.accept(choice);
    this.reject = (choice) => reviews.reject(choice);
    this.amend = (edit) => reviews.amend(edit);
    this.undo = (choice) => resultOrProblem(() => undoing.undo(choice));
    this.noteHistory = (path) => undoing.noteHistory(path);
    this.changeTexts = (change) => undoing.changeTexts(change);
    this.undoneAmong = (changes) => undoing.undoneAmong(changes);
  }
}
