/**
 * Builds the context that is sent before the user's words: updates, and attachments as far as the
 * agent may see them.
 */
import * as t from '#messages/composer-messages';
import {
  contextText,
  type TurnContext,
  limitUpdates,
  type AgentLimits,
  switchedOffUpdates,
  switchedOnUpdates,
} from '#agent/prompt/context';
import { estimateTokens } from '#agent/token-estimate';
import type { Attachment, ViewableFile } from '#model/attachment';
import type { ContextPart } from '#model/message';
import type { Mode } from '#model/setting-choices';
import type { Settings } from '#model/settings';
import { asAttachedData, attachedContext } from '#tools/reader/attached';
import { capabilitiesOf, type Reader, type ToolContexts } from '#tools/tool-context';

export interface BuiltContext {
  /** Exactly as it is sent. */
  readonly text: string;
  readonly parts: readonly ContextPart[];
  readonly shown: readonly ViewableFile[];
}

export type ContextUpdates = Omit<TurnContext, 'attached'>;

/** @param reads the step that counts as having read the attached notes; null if the context is not sent */
export function buildContext(
  updates: ContextUpdates,
  attachments: readonly Attachment[],
  toolContexts: ToolContexts,
  reads: Reader | null,
): Promise<BuiltContext> {
  const head = (attached: TurnContext['attached']) => contextText({ ...updates, attached });
  return contextWith(head, attachments, toolContexts, reads);
}

/**
 * @param head makes the text before the attachments
 * @param reads the step that counts as having read the attached notes
 */
export async function contextWith(
  head: (attached: TurnContext['attached']) => string,
  attachments: readonly Attachment[],
  toolContexts: ToolContexts,
  reads: Reader | null,
): Promise<BuiltContext> {
  const { sections, named } = await attachedContext(
    attachments,
    toolContexts.readOnlyContext(reads),
  );
  const attached = {
    attached: sections.map(({ name }) => name),
    linked: named,
    targets: sections.flatMap(({ target }) => target ?? []),
    hunks: sections.flatMap(({ hunk }) => hunk ?? []),
  };
  const pieces = [
    { name: t.dateAndUpdates, text: head(attached), shown: [] },
    ...sections.map(({ name, text, shown }) => ({ name, text: asAttachedData(text), shown })),
  ];
  const parts: ContextPart[] = [];
  let from = 0;
  for (const { name, text, shown } of pieces) {
    const tokens = shown.reduce((sum, each) => sum + each.tokens, estimateTokens(text));
    parts.push({ name, tokens, from, to: from + text.length });
    from += text.length + GAP.length;
  }
  return {
    text: pieces.map(({ text }) => text).join(GAP),
    parts,
    shown: pieces.flatMap(({ shown }) => shown),
  };
}

const GAP = '\n\n';

export interface SentLimits {
  readonly limits: AgentLimits;
  /** Tools of the conversation's list that are switched off. */
  readonly off: readonly string[];
}

export function limitsOf(mode: Mode, settings: Settings): AgentLimits {
  const capabilities = capabilitiesOf(settings);
  const all = ['add', 'replace', 'create', 'navigate'] as const;
  return {
    mode,
    scope: settings.editableScope,
    withheld: all.filter((each) => !capabilities[each]),
  };
}

/** The changes since the last update, in lines for the model. */
export function contextUpdates(sent: SentLimits, now: SentLimits): string[] {
  return [
    ...limitUpdates(sent.limits, now.limits),
    ...switchedOffUpdates(now.off.filter((name) => !sent.off.includes(name))),
    ...switchedOnUpdates(sent.off.filter((name) => !now.off.includes(name))),
  ];
}
