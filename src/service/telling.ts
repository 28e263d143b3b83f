/** What goes before a person's words: what is new, and what they attached as far as the agent may know of it. */
import { delimited } from '#model/delimited';
import { contextText, type TurnContext } from '#agent/prompt';
import { estimateTokens } from '#agent/prompt-size';
import type { Attachment } from '#model/attachment';
import type { ConversationId } from '#model/ids';
import type { CallResult, ToldPart } from '#model/message';
import type { ShownFile } from '#model/shown-file';
import { attachedSections, linkedFrom } from '#tools/reader/attached';
import type { ToolRoom } from './tool-room';

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
    ...sections.map(({ name, text, shown }) => ({ name, text: asData(text), shown })),
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

function asData(text: string): string {
  return delimited('attached', text, 'context');
}

/** The result of a question with what goes with its answer. */
export async function withAttached(
  result: CallResult,
  attachments: readonly Attachment[],
  room: ToolRoom,
  reads: ConversationId,
): Promise<CallResult> {
  const sections = await attachedSections(attachments, room.looking(reads));
  const text = [result.text, ...sections.map((section) => asData(section.text))].join(GAP);
  const shown = sections.flatMap((section) => section.shown);
  return { ...result, text, ...(shown.length > 0 ? { shown } : {}) };
}
