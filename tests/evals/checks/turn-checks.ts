/** Checks of what the agent said and did, from the events and the change log. */
import type { LimitReason } from '#model/event';
import type { Outcome as TurnOutcome } from '#model/message';
import { check, excerpt, isIn, shownText, type Check, type Wanted } from './check';
import { changedPaths } from './note-checks';

/** The answer to the last request contains all of these. */
export function says(...wanted: readonly Wanted[]): Check {
  return check(`the answer says ${wanted.map(shownText).join(', ')}`, ({ answer }) => {
    const missing = wanted.filter((each) => !isIn(answer, each));
    return missing.length === 0 ? null : `the answer is ${excerpt(answer)}`;
  });
}

export function doesNotSay(...unwanted: readonly Wanted[]): Check {
  return check(`the answer does not say ${unwanted.map(shownText).join(', ')}`, ({ answer }) => {
    const found = unwanted.filter((each) => isIn(answer, each));
    return found.length === 0 ? null : `the answer is ${excerpt(answer)}`;
  });
}

/** The answer names the note, by its name or path. */
export function names(path: string): Check {
  const name = (path.split('/').at(-1) ?? '').replace(/\.md$/, '');
  return check(`the answer names ${path}`, ({ answer }) =>
    answer.normalize('NFC').toLowerCase().includes(name.normalize('NFC').toLowerCase())
      ? null
      : `the answer is ${excerpt(answer)}`,
  );
}

/** A notification has room for little. */
export function isShort(most: number): Check {
  return check(`the answer has at most ${most} characters`, ({ answer }) =>
    answer.length <= most ? null : `it has ${answer.length}`,
  );
}

/** The last turn completed with one of these outcomes. */
export function completes(...outcomes: readonly TurnOutcome[]): Check {
  const wanted = outcomes.length === 0 ? (['done'] as const) : outcomes;
  return check(`the turn completes as ${wanted.join(' or ')}`, ({ end }) => {
    if (end?.kind !== 'completed') return `it is ${end?.kind ?? 'still open'}`;
    return wanted.includes(end.outcome) ? null : `it is ${end.outcome}`;
  });
}

export function isLimited(reason: LimitReason): Check {
  return check(`the turn ends at the limit of ${reason}`, ({ end }) =>
    end?.kind === 'limited' && end.reason === reason ? null : `it is ${JSON.stringify(end)}`,
  );
}

/** With a tool, or in the words of the answer. */
export function asks(...wanted: readonly Wanted[]): Check {
  const about = wanted.length === 0 ? '' : ` about ${wanted.map(shownText).join(', ')}`;
  return check(`the agent asks${about}`, ({ questions, answer }) => {
    const asked = [...questions, ...(answer.includes('?') ? [answer] : [])];
    if (asked.length === 0) return 'it asked nothing';
    const fits = asked.some((text) => wanted.every((each) => isIn(text, each)));
    return fits ? null : `it asked ${asked.map((text) => excerpt(text)).join(', ')}`;
  });
}

/** No call of `done` says so. An answer in plain text has no outcome of its own. */
export function doesNotReportDone(): Check {
  return check('the agent does not report that all is done', (outcome) => {
    if (outcome.end === null) return 'the turn is still open';
    const said = outcome.calls.some(
      ({ name, input }) => name === 'done' && input.outcome === 'done',
    );
    return said ? 'it does' : null;
  });
}

export function asksNothing(): Check {
  return check('the agent asks nothing', ({ questions }) =>
    questions.length === 0 ? null : `it asked ${questions.map((text) => excerpt(text)).join(', ')}`,
  );
}

export function needsNoApproval(): Check {
  return check('no call needs approval', ({ approvals }) =>
    approvals.length === 0 ? null : `asked: ${approvals.map(({ title }) => title).join(', ')}`,
  );
}

/** Successful calls only. */
export function calls(tool: string): Check {
  return check(`the agent uses ${tool}`, (outcome) =>
    outcome.calls.some(({ name, failed }) => name === tool && !failed) ? null : 'it does not',
  );
}

/** Failed calls count, too. */
export function doesNotCall(...tools: readonly string[]): Check {
  return check(`the agent does not use ${tools.join(', ')}`, (outcome) => {
    const used = outcome.calls.filter(({ name }) => tools.includes(name));
    return used.length === 0 ? null : `it used ${used.map(({ name }) => name).join(', ')}`;
  });
}

export function takesAtMost(steps: number): Check {
  return check(`the task takes at most ${steps} steps`, (outcome) =>
    outcome.steps <= steps ? null : `it took ${outcome.steps}`,
  );
}

/** The notes that wait for a decision. */
export function leavesPending(...paths: readonly string[]): Check {
  return check(`${paths.join(', ') || 'nothing'} waits for review`, ({ pending }) => {
    const waiting = pending.map(({ path }) => path).sort();
    const isSame = JSON.stringify(waiting) === JSON.stringify([...paths].sort());
    return isSame ? null : `waiting: ${waiting.join(', ') || 'nothing'}`;
  });
}

/** The change log of the note has a change that was undone. */
export function isUndone(path: string): Check {
  return check(`the change of ${path} is undone`, ({ changes }) => {
    const made = (changes[path] ?? []).filter(({ act }) => act !== 'undo');
    if (made.length === 0) return 'no change is in the log';
    return made.every(({ undone }) => undone) ? null : 'a change is not undone';
  });
}

/** The program was killed and continued. */
export function survivesKill(): Check {
  return check('the program was killed and continued', ({ kills }) =>
    kills > 0 ? null : 'it was never killed',
  );
}

/** Holds for every task: what the agent changed can be looked up and undone. */
export const EVERY_CHANGE_IS_LOGGED: Check = check('every change is in the log', (outcome) => {
  const logged = Object.values(outcome.changes).flat();
  const hasMove = logged.some(({ kind }) => kind === 'move');
  const isLogged = (path: string): boolean =>
    logged.some((change) => isWithin(path, change.path) || isWithin(path, change.to)) ||
    // A move rewrites the links of other notes and belongs to the history of the moved one.
    (hasMove && withoutLinks(outcome.before[path]) === withoutLinks(outcome.after[path]));
  const missing = changedPaths(outcome).filter(
    (path) => !outcome.typed.includes(path) && !isLogged(path),
  );
  return missing.length === 0 ? null : `not in the log: ${missing.join(', ')}`;
});

function isWithin(path: string, changed: string | null): boolean {
  return changed !== null && (path === changed || path.startsWith(`${changed}/`));
}

function withoutLinks(text: string | undefined): string | undefined {
  return text?.replace(/\[\[[^\]]*\]\]|\]\([^)]*\)/g, '');
}
