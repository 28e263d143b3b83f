/** Text of steps and tool calls, and results of calls as the user reads them. */
import { counted } from './plural';

export const input = 'Input';
export const result = 'Result';
export const foundMore = 'More was found than is listed here.';
export const foundLine = (line: number) => `Line ${line}`;
export const showAllCharacters = (count: string) => `Show all ${count} characters`;
export const PLAN_STATES = {
  open: 'to do',
  doing: 'in progress',
  done: 'done',
  dropped: 'dropped',
} as const;
export const progress = (done: number, count: number) => `${done} of ${count}`;
export const plan = 'Plan';
/** @param seconds until the next attempt */
export const retrying = (seconds: number, attempt: number, attempts: number) =>
  `${seconds > 0 ? `Retrying in ${seconds} s` : 'Retrying now'} (attempt ${attempt} of ${attempts}).`;
export const writing = 'Writing…';
export const stepsUsed = (step: number, limit: number) => `${step} of at most ${limit} steps`;
export const writingNow = 'Writing';
/** @param model for example "Claude" */
export const waitingFor = (model: string) => `Waiting for ${model}`;
/** For a model that has no name of its own. */
export const theModel = 'the model';
export const slower = 'slower than usual';
export const alsoDoing = (count: number) => `+${count}`;
/** @param doing for example "Reading Tomatoes" */
export const stillWorking = (doing: string) => `Still working: ${doing}`;
export const thinking = 'Thinking';
export const thought = 'Thought';
/** @param time such as "3 s" */
export const thoughtFor = (time: string) => `Thought for ${time}`;
export const deciding = 'Thinking';
export const didNot = 'Did not';
export const couldNot = 'Could not';
export const youSaid = (reason: string) => `You said: ${reason}`;
export const failed = 'Failed';
export const done = 'Done';
export const running = 'Running';
export const waitingForYou = 'Waiting for you';
/** For example "6,289 notes, 40 %", after a verb such as "Reading". */
export const progressCount = (done: number, all: number, thing: string) =>
  `${counted(all, thing)}, ${Math.floor((100 * done) / all)} %`;
export const reading = 'Reading';
export const pending = 'Pending';
export const failedCount = (count: number) => `${count} failed`;
export const seconds = (count: number) => `${count} s`;
export const minutesAndSeconds = (minutes: number, seconds: number) =>
  `${minutes} min ${seconds} s`;
export const hoursAndMinutes = (hours: number, minutes: number) =>
  minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;

export const callsFailed = (count: number) => counted(count, 'call failed', 'calls failed');
/** @param took for example "4 s"; '' if it was too short to mention */
export const worked = (took: string, steps: number) =>
  `Worked${took === '' ? '' : ` ${took}`} · ${counted(steps, 'step')}`;

export const linkedOneWay = (done: string, failed: string) =>
  `Only half was done: the link in ${done}, not the one in ${failed}.`;
