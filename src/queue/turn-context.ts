/** What goes before a person's words: what is new, and what they attached as far as the agent may know of it. */
import { contextText, type TurnContext } from '#agent/prompt/context';
import {
  limitNews,
  type Limits,
  switchedOffNews,
  switchedOnNews,
} from '#agent/prompt/context-updates';
import { estimateTokens } from '#agent/token-estimate';
import type { Attachment } from '#model/attachment';
import type { ConversationId } from '#model/ids';
import type { ToldPart } from '#model/message';
import type { Mode, Settings } from '#model/settings';
import type { ShownFile } from '#model/viewable-file';
import { asAttachedData, attachedSections, linkedFrom } from '#tools/reader/attached';
import { capabilitiesOf, type ToolRoom } from '#tools/tool-context';

export interface Told {
  /** Exactly as it is sent. */
  readonly text: string;
  readonly parts: readonly ToldPart[];
  readonly shown: readonly ShownFile[];
}

export type News = Omit<TurnContext, 'attached'>;

/** @param reads the conversation that then knows these notes; null where nothing is sent */
export async function tell(
  news: News,
  attachments: readonly Attachment[],
  room: ToolRoom,
  reads: ConversationId | null,
): Promise<Told> {
  const sections = await attachedSections(attachments, room.looking(reads));
  const attached = {
    attached: sections.map(({ name }) => name),
    linked: await linkedFrom(attachments, room.looking(null)),
  };
  const pieces = [
    { name: 'Date, mode and what is new', text: contextText({ ...news, attached }), shown: [] },
    ...sections.map(({ name, text, shown }) => ({ name, text: asAttachedData(text), shown })),
  ];
  const parts: ToldPart[] = [];
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

export interface Binding {
  readonly limits: Limits;
  /** Tools of the conversation's list that are off. */
  readonly off: readonly string[];
}

export function limitsOf(mode: Mode, settings: Settings): Limits {
  const capabilities = capabilitiesOf(settings);
  const all = ['add', 'replace', 'create', 'navigate'] as const;
  return {
    mode,
    scope: settings.editableScope,
    withheld: all.filter((each) => !capabilities[each]),
  };
}

/** Lines for the model; none where all is as it was told. */
export function newsOf(told: Binding, now: Binding): string[] {
  return [
    ...limitNews(told.limits, now.limits),
    ...switchedOffNews(now.off.filter((name) => !told.off.includes(name))),
    ...switchedOnNews(told.off.filter((name) => !now.off.includes(name))),
  ];
}
