/** What was done, in words for a person. */
import type { ToolCall } from '#model/conversation';
import type { TraceItem } from '../message/segments';
import { subjectOf } from './subject';
import { iconOf, wordsFor } from './tool-words';

export function itemIcon(item: TraceItem | undefined): string {
  switch (item?.kind) {
    case 'call':
      return isFailed(item.call) ? 'x' : iconOf(item.call.part.name);
    case 'coming':
      return item.name === '' ? 'ellipsis' : iconOf(item.name);
    default:
      return 'brain';
  }
}

export function hasFailed(item: TraceItem): boolean {
  return item.kind === 'call' && isFailed(item.call) && !isDeclined(item.call);
}

function isFailed(call: ToolCall): boolean {
  return call.state === 'finished' && call.result.failed;
}

/** What the person chose when the call asked; null where it did not ask, or nobody chose. */
function decisionOf(call: ToolCall) {
  const settled = 'settled' in call ? call.settled : null;
  return settled?.resolution.kind === 'choice' ? settled.resolution : null;
}

/** It failed since the person was against it. */
function isDeclined(call: ToolCall): boolean {
  const choice = decisionOf(call)?.choice;
  return choice === 'keep' || choice === 'deny';
}

/** "Reading", "Read" or "Could not read": what goes before the subject. */
export function itemVerb(item: TraceItem): string {
  switch (item.kind) {
    case 'thinking':
      return item.live ? 'Thinking' : 'Thought';
    case 'coming':
      return item.name === '' ? 'Deciding what to do' : wordsFor(item.name).doing.replace(/:$/, '');
    case 'call':
      return callVerb(item.call);
  }
}

function callVerb(call: ToolCall): string {
  const { doing, act, done, did = done } = wordsFor(call.part.name);
  if (call.state !== 'finished') return doing;
  if (!call.result.failed) return capital(subjectOf(call).name === '' ? done : did);
  const choice = decisionOf(call)?.choice;
  if (choice === 'keep') return 'Kept';
  if (choice === 'deny') return `Not allowed to ${act}`;
  return `${call.started === null ? 'Did not' : 'Could not'} ${act}`;
}

const REFUSALS = {
  mode: 'This chat is set to Read only, so nothing was changed.',
  permission: 'This tool is switched off in the settings.',
  capability: 'What it would do is switched off in the settings.',
  scope: 'It is outside of what may be edited, by the settings.',
} as const;

/** Why the call was not run, where a person has to know without opening it; '' otherwise. */
export function refusalOf(call: ToolCall): string {
  const reason = decisionOf(call)?.reason;
  if (reason) return `You said: ${reason}`;
  const details = call.state === 'finished' ? call.result.details : undefined;
  if (details?.kind !== 'refused') return '';
  return REFUSALS[details.by];
}

/** Whether the person had a hand in how it went, or a rule did: then it stands by itself. */
export function standsAlone(call: ToolCall): boolean {
  return decisionOf(call) !== null || refusalOf(call) !== '';
}

export function stateWord(call: ToolCall): string {
  switch (call.state) {
    case 'finished':
      if (!call.result.failed) return 'Done';
      return isDeclined(call) ? 'Decided against' : 'Failed';
    case 'running':
      return call.progress === undefined ? 'Running' : `Running: ${call.progress}`;
    case 'asking':
      return 'Waiting for you';
    default:
      return 'About to run';
  }
}

/** "Read 3 notes, searched twice" */
export function summaryLine(items: readonly TraceItem[]): string {
  const calls = callsOf(items);
  if (calls.length === 0) return 'Thought';
  const done = calls.filter((call) => !isFailed(call));
  const names = [...new Set(done.map(({ part }) => part.name))];
  const parts = names.map((name) =>
    counted(
      name,
      done.filter(({ part }) => part.name === name),
    ),
  );
  return parts.length === 0 ? `${calls.length} calls failed` : capital(parts.join(', '));
}

function counted(name: string, calls: readonly ToolCall[]): string {
  const { done, things } = wordsFor(name);
  if (!things) return [done, times(calls.length)].filter(Boolean).join(' ');
  const count = calls.reduce((sum, { part }) => {
    const { paths } = part.input;
    return sum + (Array.isArray(paths) ? paths.length : 1);
  }, 0);
  return `${done} ${count} ${things[count === 1 ? 0 : 1]}`;
}

function times(count: number): string {
  if (count === 1) return '';
  return count === 2 ? 'twice' : `${count} times`;
}

/** "1 failed, 4 s": what must not be lost where the line is too long for its place. */
export function summaryAside(items: readonly TraceItem[]): string {
  const calls = callsOf(items);
  const failed = calls.filter(isFailed).length;
  const some = failed > 0 && failed < calls.length;
  return [some ? `${failed} failed` : '', timeOf(calls)].filter((part) => part !== '').join(', ');
}

/** From the first beginning to the last end, where that is long enough to be worth a word; '' otherwise. */
function timeOf(calls: readonly ToolCall[]): string {
  const begun = calls.flatMap((call) => ('started' in call && call.started ? [call.started] : []));
  const ended = calls.flatMap((call) => (call.state === 'finished' ? [call.ended] : []));
  if (begun.length === 0 || ended.length === 0) return '';
  return worthAWord(Math.max(...ended) - Math.min(...begun));
}

export function itemTime(item: TraceItem): string {
  return item.kind === 'call' ? worthAWord(tookOf(item.call) ?? 0) : '';
}

function worthAWord(milliseconds: number): string {
  return milliseconds < 950 ? '' : duration(milliseconds);
}

/** In milliseconds; null where it has not run to its end. */
export function tookOf(call: ToolCall): number | null {
  return call.state === 'finished' && call.started !== null ? call.ended - call.started : null;
}

export function duration(milliseconds: number): string {
  if (milliseconds < 950) return `${Math.max(0.1, Math.round(milliseconds / 100) / 10)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function callsOf(items: readonly TraceItem[]): ToolCall[] {
  return items.flatMap((item) => (item.kind === 'call' ? [item.call] : []));
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
