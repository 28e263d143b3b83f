/** The context that goes before the user's words in each request. */
import { inert } from '#model/untrusted-text';
import type { Source } from '#model/request';
import { limitLines, switchedOffUpdates, type AgentLimits } from './context-updates';

export interface TurnContext {
  /** In words, with weekday and offset. */
  readonly now: string;
  /** How the request was made. */
  readonly source: Source;
  readonly limits: AgentLimits;
  readonly activeNote: string | null;
  /** Paths that the user attached, and the paths these link to within the context scope. */
  readonly attached: { readonly attached: readonly string[]; readonly linked: readonly string[] };
  /** Tools of the conversation's list that have been switched off. */
  readonly switchedOff: readonly string[];
  /** When it was asked, and how the earlier attempt failed; null the first time. */
  readonly retry: { readonly asked: string; readonly failed: string } | null;
  /** What the user did with the agent's changes since the last request, in lines. */
  readonly userActions: readonly string[];
}

/** Names come from the vault, so each line is made unable to close the section. */
export function contextText(context: TurnContext): string {
  const { now, source, limits, activeNote, attached } = context;
  const lines = [`Now: ${now}`, sourceLine(source), ...limitLines(limits)];
  if (activeNote !== null) lines.push(`Active note: ${activeNote}`);
  if (attached.attached.length > 0) lines.push(`Attached: ${named(attached.attached)}`);
  if (attached.linked.length > 0) lines.push(`They link to: ${named(attached.linked)}`);
  lines.push(...switchedOffUpdates(context.switchedOff));
  lines.push(...context.userActions);
  if (context.retry) {
    lines.push(
      `This was asked ${context.retry.asked}. An earlier attempt failed: ${context.retry.failed} What it did is in the history above and stays done.`,
    );
  }
  return `<context>\n${lines.map(inert).join('\n')}\n</context>`;
}

export function sourceLine(source: Source): string {
  return `Source of this request: ${SOURCE_WORDS[source]}`;
}

const AWAY =
  'The user is probably not looking at the screen; your answer becomes a notification of about 200 plain characters, so begin with the result. Prefer a guess that can be undone to a question.';

const SOURCE_WORDS: Record<Source, string> = {
  typed: 'Typed in Obsidian.',
  voice: `Spoken through SmartHole: transcribed, perhaps misheard or paraphrased. ${AWAY}`,
  text: `Sent as text through SmartHole: perhaps misheard or paraphrased. ${AWAY}`,
  mcp: 'Called by an MCP client.',
};

const MOST_NAMED = 50;

function named(paths: readonly string[]): string {
  const more = paths.length - MOST_NAMED;
  const shown = paths.slice(0, MOST_NAMED).join(', ');
  return more > 0 ? `${shown}, and ${more} more` : shown;
}
