/** Prompts that the `/` menu offers out of the box. They fill the composer and send nothing. */
import * as t from '#model/messages/composer-messages';
import { mentionText } from '#model/attachment';

export interface BuiltInPrompt {
  readonly icon: string;
  readonly title: string;
  /** Whether the prompt is about a note. */
  readonly isAboutNote: boolean;
  text(subject: string): string;
}

export const BUILT_IN_PROMPTS: readonly BuiltInPrompt[] = [
  {
    icon: 'list',
    title: t.promptSummarize,
    isAboutNote: true,
    text: t.promptSummarizeText,
  },
  {
    icon: 'waypoints',
    title: t.promptRelated,
    isAboutNote: true,
    text: t.promptRelatedText,
  },
  {
    icon: 'spell-check',
    title: t.promptFixWriting,
    isAboutNote: true,
    text: t.promptFixWritingText,
  },
  {
    icon: 'calendar-check',
    title: t.promptDailyReview,
    isAboutNote: false,
    text: () => t.promptDailyReviewText,
  },
];

/** How a prompt names the open note; `@`, which opens the list of notes, if none is open. */
export function subjectOf(note: string | null): string {
  return note === null ? '@' : mentionText({ kind: 'note', path: note });
}
