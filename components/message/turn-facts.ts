/** A message as plain text, for places where it cannot be drawn. */
import type { TraceItem } from '../tool/step-words';
import { allCalls, stepText, type Turn, validSteps } from '#model/conversation';
import type { TurnEnd } from '#model/event';
import type { WebSource } from '#model/message';
import { withoutHalfMark, withoutSourceMarks } from '#text/source-marks';
import type { TurnSegment } from './turn-segments';

const END_LOOKS = {
  done: { icon: 'circle-check', tone: 'good' },
  partly: { icon: 'circle-dashed', tone: 'careful' },
  not_done: { icon: 'circle-x', tone: 'careful' },
  stopped: { icon: 'circle-stop', tone: undefined },
  limited: { icon: 'circle-pause', tone: 'careful' },
  failed: { icon: 'circle-alert', tone: 'bad' },
} as const;

/** The icon of an end. Every end has a different one. */
export function endLook(end: TurnEnd) {
  return END_LOOKS[end.kind === 'completed' ? end.outcome : end.kind];
}

export function plainSegment(segment: TurnSegment): string {
  switch (segment.kind) {
    case 'text':
      return withoutSourceMarks(segment.text);
    case 'summary':
      return segment.text;
    case 'steering':
      return segment.message.text;
    case 'asked':
      return [segment.question, segment.answer?.text ?? ''].join('\n\n');
    case 'plan':
      return segment.steps.map(({ text }) => text).join('\n');
    case 'trace':
      return segment.items.map(plainItem).join('\n');
    case 'copy':
      return segment.paths.join('\n');
    case 'waiting':
      return segment.waiting.kind === 'question' ? segment.waiting.text : segment.waiting.title;
  }
}

export function plainItem(item: TraceItem): string {
  switch (item.kind) {
    case 'call':
      return item.call.part.name;
    case 'thinking':
      return item.text;
    case 'coming':
      return item.name;
  }
}

/** The agent's text so far in a turn, with its reply. */
export function plainAnswer(turn: Turn): string {
  const said = validSteps(turn).flatMap((step) => [
    stepText(step),
    ...step.live.flatMap(({ type, text }) => (type === 'text' ? [withoutHalfMark(text)] : [])),
  ]);
  const reply = turn.end?.reply ?? '';
  const all = said.map((text) => withoutSourceMarks(text));
  if (all.at(-1) !== reply) all.push(reply);
  return all.filter((text) => text.trim() !== '').join('\n\n');
}

export type Source =
  { readonly kind: 'note'; readonly path: string } | ({ readonly kind: 'page' } & WebSource);

/**
 * Without repetitions: notes in the order they were first read, then pages, read ones before found
 * ones. Changed notes are listed with the changes.
 */
export function sourcesOf(turn: Turn): Source[] {
  const read = new Set<string>();
  const changed = new Set<string>();
  const pages = new Map<string, WebSource>();
  const found: WebSource[] = [];
  for (const { part, ...call } of allCalls(turn)) {
    const details = call.state === 'finished' ? call.result.details : undefined;
    if (details?.kind === 'read') for (const path of details.paths) read.add(path);
    if (details?.kind === 'sources') {
      if (part.name === 'web_search') found.push(...details.sources);
      else for (const page of details.sources) pages.set(page.url, page);
    }
    if (details?.kind !== 'changes') continue;
    for (const { path, to } of details.changes) changed.add(path).add(to ?? path);
  }
  for (const page of found) if (!pages.has(page.url)) pages.set(page.url, page);
  return [
    ...[...read]
      .filter((path) => !changed.has(path))
      .map((path) => ({ kind: 'note', path }) as const),
    ...[...pages.values()].map((page) => ({ kind: 'page', ...page }) as const),
  ];
}

/** The note that is open since this message; null if it is the same as before. */
export function noteChange(
  before: Pick<Turn, 'activeNote'> | undefined,
  { activeNote }: Pick<Turn, 'activeNote'>,
): { readonly note: string | null } | null {
  return before && before.activeNote !== activeNote ? { note: activeNote } : null;
}
