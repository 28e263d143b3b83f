/** What the model is told with each message. */
import { inert } from '#model/delimited';
import { limitLines, switchedOffNews, type Limits } from './limit-words';

export interface TurnContext {
  /** In words, with weekday and offset. */
  readonly now: string;
  readonly limits: Limits;
  readonly activeNote: string | null;
  /** Paths of what the person attached, and of what that links to as far as it is told. */
  readonly attached: { readonly attached: readonly string[]; readonly linked: readonly string[] };
  /** Tools of the conversation's list that are off by now. */
  readonly switchedOff: readonly string[];
  /** When it was asked, and what became of the earlier attempt; null the first time. */
  readonly retry: { readonly asked: string; readonly failed: string } | null;
  /** What the person did with the agent's changes since it was last told, in lines. */
  readonly acts: readonly string[];
}

/** What goes before the person's words. Names come from the vault, so they can't be let close the section. */
export function contextText(context: TurnContext): string {
  const { now, limits, activeNote, attached } = context;
  const lines = [`Now: ${now}`, ...limitLines(limits)];
  if (activeNote !== null) lines.push(`Active note: ${activeNote}`);
  if (attached.attached.length > 0) lines.push(`Attached: ${named(attached.attached)}`);
  if (attached.linked.length > 0) lines.push(`They link to: ${named(attached.linked)}`);
  lines.push(...switchedOffNews(context.switchedOff));
  lines.push(...context.acts);
  if (context.retry) {
    lines.push(
      `This was asked ${context.retry.asked}. An earlier attempt failed: ${context.retry.failed} What it had done is in the history above and stays done.`,
    );
  }
  return `<context>\n${lines.map(inert).join('\n')}\n</context>`;
}

const MOST_NAMED = 50;

function named(paths: readonly string[]): string {
  const more = paths.length - MOST_NAMED;
  const shown = paths.slice(0, MOST_NAMED).join(', ');
  return more > 0 ? `${shown}, and ${more} more` : shown;
}
