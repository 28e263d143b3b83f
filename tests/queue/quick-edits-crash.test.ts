/**
 * Quick edits on a disk that fails at each operation, and in random order with everything else that
 * happens to the note: no line is lost or doubled, and only the lines that were meant change.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EditTarget } from '#model/attachment';
import { ANY_DEVICE, readEdits } from '#model/edit/note-edits';
import { quickEditPlace } from '#model/quick-edit-range';
import type { Settings } from '#model/settings';
import { settle, testClock } from '../builders/fake-clock';
import { answers, call, isAside, says, thinkingModel } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { strideOf } from '../builders/sampled';
import { tinyVault } from '../edits/vault';
import { eventsOn, inboxOn, makeRig, type Disk, type Rig } from './app-on-disk';
import { DEATHS, newLife, type KillPoint } from './killable-process';

const PLAN = 'Plan.md';
const LINES = 5;
const TEXT = Array.from({ length: LINES }, (_, line) => `Line ${line} first.\n`).join('\n');

/** A model that writes the words of the request, as in `Write Line 2 new.`, to its lines. */
function planOnDisk(settings: Partial<Settings>): Disk {
  return {
    ...{ store: memoryStore(), vault: tinyVault({ [PLAN]: TEXT }), clock: testClock(), settings },
    model: thinkingModel((request) => {
      if (isAside(request)) return says('Aside.');
      const { history } = request;
      const wireId = `w${history.length}`;
      const last = history.at(-1);
      const result = last?.role === 'results' ? last.results[0]?.result : undefined;
      if (result?.details?.kind === 'changes') return says('Done.');
      if (result?.failed && last?.role === 'results' && history.length > 12) return says('Failed.');
      // Another process has not shown these lines yet.
      if (result?.failed) return answers([call('read_file', { path: PLAN }, { wireId })]);
      const told = JSON.stringify(history.findLast(({ role }) => role === 'user'));
      const position = /position \\"([^"\\]+)\\"/.exec(told)?.[1];
      const words = /Write (Line \d+ \w+\.)/.exec(told)?.[1] ?? '';
      if (!position) return says('The lines are gone.');
      const edits = [{ position, content: words }];
      return answers([call('edit_file', { path: PLAN, edits }, { wireId })]);
    }),
  };
}

const textOf = ({ vault }: Disk) => vault.texts.get(PLAN) ?? '';

/** The place of this line, or of its pending edit; null if it is not there. */
function targetOf(text: string, line: number): EditTarget | null {
  const found = new RegExp(`^Line ${line} .*$`, 'm').exec(text);
  if (!found) return null;
  const at = found.index;
  const place = quickEditPlace(
    PLAN,
    text,
    { from: at, to: at + found[0].length },
    ANY_DEVICE,
    true,
  );
  return typeof place === 'string' ? null : place.target;
}

async function send(rig: Rig, disk: Disk, line: number, words: string): Promise<boolean> {
  const target = targetOf(textOf(disk), line);
  if (!target) return false;
  return (await rig.agent.quickEdits.send({ text: `Write Line ${line} ${words}.`, target })).ok;
}

async function runAndDie(disk: Disk, at: number, death: KillPoint): Promise<boolean> {
  const life = newLife(at, death);
  const rig = makeRig(disk, life);
  void rig
    .load()
    .then(() => send(rig, disk, 2, 'new'))
    .catch(() => undefined);
  for (let look = 0; look < 30; look += 1) await settle();
  return life.isDead;
}

describe('a process that is killed during a quick edit', () => {
  for (const mode of ['review', 'apply'] as const) {
    it.each(DEATHS)(
      `in the mode ${mode} the edit is made exactly once after a kill %s any disk operation`,
      async (death) => {
        let points = 0;
        for (let at = 0; ; at += strideOf(4)) {
          const disk = planOnDisk({ panelMode: mode });
          const died = await runAndDie(disk, at, death);
          const where = `operation ${at}`;
          const rig = makeRig(disk);
          await rig.load();
          await rig.idle();
          if (eventsOn(disk, 'turn-start').length === 0) {
            // The request was lost before it was on disk, which the user was told.
            expect(textOf(disk), where).toBe(TEXT);
            await send(rig, disk, 2, 'new');
            await rig.idle();
          }
          expect(eventsOn(disk, 'turn-start'), where).toHaveLength(1);
          expect(eventsOn(disk, 'turn-end').map(({ end }) => end.kind)).toEqual(['completed']);
          expect(inboxOn(disk), where).toEqual([]);
          expect(rig.problems, where).toEqual([]);
          const { conversations } = await rig.agent.state();
          // A chat that was begun for it, but not named yet, stays as an empty one.
          expect(conversations.filter(({ quickEditsOf }) => quickEditsOf === PLAN)).toHaveLength(1);
          const edits = rig.agent.edits.pending().flatMap((note) => note.edits);
          expect(edits, where).toHaveLength(mode === 'review' ? 1 : 0);
          if (mode === 'review') await rig.agent.edits.accept({ edit: 'all' });
          expect(textOf(disk), where).toBe(TEXT.replace('Line 2 first.', 'Line 2 new.'));
          const [change] = await rig.agent.changes.noteHistory(PLAN);
          expect(change, where).toBeDefined();
          void rig.runner.close();
          points += 1;
          if (!died) break;
        }
        expect(points).toBeGreaterThan(4);
      },
    );
  }
});

type Act =
  | { readonly do: 'edit'; readonly line: number }
  | { readonly do: 'type'; readonly at: number }
  | { readonly do: 'accept' | 'reject'; readonly edit: number }
  | { readonly do: 'undo' | 'stop' | 'restart' };

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('edit' as const), line: fc.nat(LINES - 1) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('type' as const), at: fc.nat(9) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('accept', 'reject'), edit: fc.nat(4) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('undo', 'stop', 'restart') }) },
);
/** An act after so many rounds of the event loop. */
const acts = fc.array(fc.tuple(fc.nat(12), act), { minLength: 4, maxLength: 16 });

/** Adds a line of the user's above some line that belongs to no pending edit. */
function type(text: string, typed: string, at: number): string {
  const { parts } = readEdits(text, ANY_DEVICE);
  const free = parts.flatMap(({ edit }, index) => (edit ? [] : [index]));
  const chosen = free[at % Math.max(1, free.length)];
  const added = `${typed}\n\n`;
  if (chosen === undefined) return `${text}\n${added}`;
  return parts
    .map(({ raw }, index) => {
      if (index !== chosen) return raw;
      const line = raw.indexOf('Line ');
      return line < 0 ? `${raw}\n${added}` : raw.slice(0, line) + added + raw.slice(line);
    })
    .join('');
}

const RANDOM = { numRuns: Number(process.env['CASES'] ?? 200) };

describe('quick edits at random moments', () => {
  it.each(['review', 'apply'] as const)(
    'in the mode %s no line is lost, doubled or changed by an edit of another line',
    async (mode) => {
      let made = 0;
      await fc.assert(
        fc.asyncProperty(acts, fc.boolean(), async (all, takes) => {
          const disk = planOnDisk({ panelMode: mode });
          let rig = makeRig(disk);
          await rig.load();
          const typed: string[] = [];
          const sent: string[] = [];
          for (const [at, [wait, next]] of all.entries()) {
            for (let turn = 0; turn < wait; turn += 1) await settle();
            await disk.clock.advance(1);
            const pending = rig.agent.edits.pending().flatMap((note) => note.edits);
            if (next.do === 'edit') {
              if (await send(rig, disk, next.line, `edit${at}`))
                sent.push(`Line ${next.line} edit${at}.`);
            } else if (next.do === 'type') {
              typed.push(`Typed ${at}.`);
              disk.vault.texts.set(PLAN, type(textOf(disk), `Typed ${at}.`, next.at));
            } else if (next.do === 'accept' || next.do === 'reject') {
              const edit = pending[next.edit % Math.max(1, pending.length)];
              if (edit) await rig.agent.edits[next.do]({ edit: edit.id, note: PLAN });
            } else if (next.do === 'undo') {
              const [change] = await rig.agent.changes.noteHistory(PLAN);
              if (change) await rig.agent.changes.undo({ change: change.change });
            } else if (next.do === 'stop') {
              await rig.agent.queue.stop();
            } else {
              void rig.runner.close();
              await settle();
              rig = makeRig(disk);
              await rig.load();
            }
          }
          await rig.idle();
          await rig.agent.edits[takes ? 'accept' : 'reject']({ edit: 'all' });
          const lines = textOf(disk).split('\n').filter(Boolean);
          const own = lines.filter((line) => line.startsWith('Line '));
          expect(own.map((line) => line.slice(0, 6))).toEqual(
            Array.from({ length: LINES }, (_, line) => `Line ${line}`),
          );
          const known = [...TEXT.split('\n'), ...sent];
          for (const line of own) expect(known).toContain(line);
          expect(lines.filter((line) => !line.startsWith('Line ')).toSorted()).toEqual(
            typed.toSorted(),
          );
          expect(inboxOn(disk)).toEqual([]);
          expect(rig.problems).toEqual([]);
          made += own.filter((line) => !line.endsWith('first.')).length;
          void rig.runner.close();
        }),
        RANDOM,
      );
      expect(made).toBeGreaterThan(RANDOM.numRuns / 4);
    },
    240_000,
  );
});
