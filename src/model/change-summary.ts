import { allCalls, type Turn } from './conversation';
import type { ChangeNote } from './message';

/** What a turn has changed, as a sentence: "Changed Lists/Shopping.md (+1 −0)." or nothing. */
export function changeSummary(turn: Turn): string {
  const changes = allCalls(turn).flatMap((call) =>
    call.state === 'finished' && call.result.details?.kind === 'changes'
      ? call.result.details.changes
      : [],
  );
  if (changes.length === 0) return '';
  const shown = changes.slice(0, 5).map(changeText);
  const more = changes.length > 5 ? [`and ${changes.length - 5} more`] : [];
  return `${[...shown, ...more].join(', ')}.`.replace(/^./, (first) => first.toUpperCase());
}

/** "changed Lists/Shopping.md (+1 −0)" */
export function changeText(change: ChangeNote): string {
  const { path, to, added, removed } = change;
  switch (change.kind) {
    case 'create':
      return change.proposes ? `proposed the note ${path}` : `created ${path}`;
    case 'write':
      if (change.proposes) return `proposed changes in ${path} (+${added} −${removed})`;
      return `changed ${path} (+${added} −${removed})`;
    case 'hold':
      return `proposed changes in ${path} (+${added} −${removed})`;
    case 'delete':
      return `deleted ${path}`;
    case 'move':
      return `moved ${path} to ${to ?? ''}`;
    case 'folder':
      return `created the folder ${path}`;
  }
}
