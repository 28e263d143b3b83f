/** All faults by name, for the workbench's panel and for tests that go through all of them. */
import * as faults from './faults';
import { paced, reply, type Pace, type Reply } from './replies';
import type { Answer, Respond } from './server';

export interface Trap {
  readonly name: string;
  /** Description for the user. */
  readonly words: string;
  lay(over: Reply): Answer;
}

const trap = (name: string, words: string, lay: Trap['lay']): Trap => ({ name, words, lay });

export const NAMED_FAULTS: readonly Trap[] = [
  ...faults.STATUSES.map((status) =>
    trap(`status-${status}`, `Status ${status}: ${faults.ERRORS[status]?.message ?? ''}`, () =>
      faults.statusError(status),
    ),
  ),
  trap('rate-limited', 'Rate limit, try again in 4 s', () => faults.rateLimited(4)),
  trap('rate-limited-long', 'Rate limit, try again in an hour', () => faults.rateLimited(3_600)),
  trap('cors', 'Calls from a web page are refused', () => faults.corsRefused()),
  trap('prompt-too-long', 'The prompt is too long', () => faults.promptTooLong()),
  trap('gateway', 'A gateway answers in HTML', () => faults.gatewayError()),
  trap('no-answer', 'The connection breaks before an answer', () => faults.noAnswer()),
  trap('cut', 'The connection breaks in mid-stream', (over) => faults.cut(over, 2)),
  trap('early-end', 'The stream ends too early, cleanly', (over) => faults.earlyEnd(over, 2)),
  trap('error-event', 'Overloaded in mid-stream', (over) => faults.errorEvent(over, 2)),
  trap('stall', 'The stream stalls until it is closed', (over) => faults.stall(over, 2)),
  trap('not-a-stream', 'A sign-in page instead of a stream', () => faults.notAStream()),
  trap('wrong-type', 'A wrong content type', (over) => faults.wrongType(over)),
  trap('malformed-input', 'A call with malformed input', (over) =>
    hasCall(over) ? faults.malformedInput(over) : over,
  ),
  trap('deep-input', 'A call with deeply nested input', (over) =>
    hasCall(over) ? faults.deepInput(over) : over,
  ),
  trap('input-cut', 'A call cut by max_tokens', (over) =>
    hasCall(over) ? faults.inputCut(over) : over,
  ),
  trap('refusal', 'The model refuses', () => faults.refused(reply('I cannot help with that.'))),
  trap('window-exceeded', 'The context window is full', (over) => faults.windowExceeded(over)),
  trap('pause', 'The model pauses its turn', (over) =>
    hasCall(over) ? over : faults.paused(over),
  ),
  trap('pings', 'Pings between the words', (over) => paced(over, { pingEvery: 1 })),
];

function hasCall(over: Reply): boolean {
  return over.blocks.some((block) => block.type === 'tool_use');
}

export interface FaultyModel extends Respond {
  /** Applies a fault to the next replies, by default to one. */
  trouble(lay: Trap['lay'], times?: number): void;
  /** Sets the pace of replies from the next one on. */
  pace(pace: Pace): void;
}

/** Wraps a model so that faults can be applied while it runs, as from the workbench's panel. */
export function troubled(respond: Respond): FaultyModel {
  let lay: Trap['lay'] = (over) => over;
  let left = 0;
  let tempo: Pace = {};
  const overlaid: Respond = async (request, context) => {
    const answer = await respond(request, context);
    if (answer.kind !== 'reply') return answer;
    const inTempo = paced(answer, tempo);
    if (left <= 0) return inTempo;
    left -= 1;
    return lay(inTempo);
  };
  return Object.assign(overlaid, {
    trouble(next: Trap['lay'], times = 1) {
      lay = next;
      left = times;
    },
    pace(pace: Pace) {
      tempo = pace;
    },
  });
}
