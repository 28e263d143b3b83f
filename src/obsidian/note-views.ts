/** The note that the person is in. */
import { MarkdownView, type App } from 'obsidian';

/** The pane that is active, or was before something at the side came to be, such as the chat; null without a note. */
export function noteView({ workspace }: App): MarkdownView | null {
  const active = workspace.getActiveViewOfType(MarkdownView);
  if (active) return active;
  const view = workspace.getMostRecentLeaf()?.view;
  return view instanceof MarkdownView ? view : null;
}
