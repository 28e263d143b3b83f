/** What the composer says while a question or an approval is open, which the next message answers. */
import * as t from '#messages/composer-messages';
import type { Interaction } from '#model/interaction';

export interface AnswerHint {
  /** Shown above the text field. */
  readonly line: string;
  readonly placeholder: string;
}

/** Null if nothing is open. A question takes the message, even if an approval is open, too. */
export function answerHint(open: readonly Interaction[]): AnswerHint | null {
  const questions = open.filter(({ kind }) => kind === 'question').length;
  if (questions > 0) {
    const line = questions === 1 ? t.answersQuestion : t.answersQuestions(questions);
    return { line, placeholder: t.placeholderQuestion };
  }
  const [first] = open;
  if (first?.kind !== 'approval') return null;
  const deletes = first.choices.includes('delete');
  const line = deletes ? t.answersDeletion : t.answersApproval;
  return {
    line: open.length > 1 ? t.answersFirst(open.length) : line,
    placeholder: t.placeholderApproval,
  };
}
