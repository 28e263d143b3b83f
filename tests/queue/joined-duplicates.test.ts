/**
 * Messages that SmartHole delivers again after they joined a running turn: they are acknowledged and
 * never run again.
 */
import { describe, expect, it } from 'vitest';
import { settle } from '../builders/fake-clock';
import { diskError } from '../builders/fake-storage';
import { strideOf } from '../builders/sampled';
import { inboxOn, makeRig, type Rig } from './app-on-disk';
import { DEATHS, newLife, type KillableProcess, type KillPoint } from './killable-process';
import { begun, ends, joined, steeringDisk, type SteeringDisk } from './steering-disk';

const FIRST = 'Write 2 a';
const SECOND = 'Rather write it in French';
const RECORD = 'heard.jsonl';

async function started(disk: SteeringDisk, life?: KillableProcess): Promise<Rig> {
  const rig = makeRig(disk, life);
  await rig.load();
  return rig;
}

/** Says the second request while the first one writes its first note. */
async function joinByVoice(disk: SteeringDisk, rig: Rig, say: () => Promise<unknown>) {
  let isSaid = false;
  disk.during = async () => {
    if (isSaid) return;
    isSaid = true;
    await say();
  };
  await rig.say('m1', FIRST);
  await rig.idle();
}

/** Holds back the record of this id until it is released; a crash loses it. */
function holdRecordOf(disk: SteeringDisk, id: string) {
  const { append } = disk.store;
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  disk.store.append = async (path, text, options) => {
    if (path === RECORD && text.includes(id)) await released;
    await append(path, text, options);
  };
  const lose = () => {
    disk.store.append = append;
  };
  return { release, lose };
}

async function untilInInbox(disk: SteeringDisk, text: string): Promise<void> {
  const isSaved = () => inboxOn(disk).some((path) => disk.store.files.get(path)?.includes(text));
  while (!isSaved()) await settle();
}

describe('a spoken message that joined a turn', () => {
  it('is acknowledged and not run when it is delivered again in the same process', async () => {
    const disk = steeringDisk();
    const rig = await started(disk);
    await joinByVoice(disk, rig, () => rig.say('m2', SECOND));
    expect(joined(disk)).toEqual([SECOND]);
    await disk.clock.advance(60_000);
    expect(await rig.say('m2', SECOND)).toEqual({ ok: true });
    await rig.idle();
    expect(begun(disk)).toEqual([FIRST]);
    expect(joined(disk)).toEqual([SECOND]);
  });

  it('is acknowledged and not run when it is delivered again during its turn', async () => {
    const disk = steeringDisk();
    const rig = await started(disk);
    const again: unknown[] = [];
    await joinByVoice(disk, rig, async () => {
      await rig.say('m2', SECOND);
      disk.during = async () => again.push(await rig.say('m2', SECOND));
    });
    expect(again).toEqual([{ ok: true }]);
    expect(begun(disk)).toEqual([FIRST]);
    expect(joined(disk)).toEqual([SECOND]);
    expect([...disk.posted.keys()].every((key) => key.startsWith('m2 '))).toBe(true);
  });

  it('is acknowledged and not run when it is delivered again after a restart', async () => {
    const disk = steeringDisk();
    const rig = await started(disk);
    await joinByVoice(disk, rig, () => rig.say('m2', SECOND));
    void rig.runner.close();
    await disk.clock.advance(60_000);
    const next = await started(disk);
    expect(await next.say('m2', SECOND)).toEqual({ ok: true });
    await next.idle();
    expect(begun(disk)).toEqual([FIRST]);
    expect(joined(disk)).toEqual([SECOND]);
  });

  it('is known after a crash between the join and the record of its id, even much later', async () => {
    const disk = steeringDisk();
    const life = newLife();
    const rig = await started(disk, life);
    const record = holdRecordOf(disk, 'm2');
    await joinByVoice(disk, rig, async () => {
      void rig.say('m2', SECOND);
      await untilInInbox(disk, SECOND);
      disk.during = async (path) => {
        if (path === 'a2.md') life.left = 0;
      };
    });
    expect(life.isDead).toBe(true);
    expect(joined(disk)).toEqual([SECOND]);
    expect(disk.store.files.get(RECORD)).not.toContain('m2');
    record.lose();
    await disk.clock.advance(30_000);
    disk.during = async () => undefined;
    const next = await started(disk);
    expect(await next.say('m2', SECOND)).toEqual({ ok: true });
    await next.idle();
    expect(begun(disk)).toEqual([FIRST]);
    expect(joined(disk)).toEqual([SECOND]);
    expect([...disk.posted.keys()].some((key) => key.startsWith('m2 '))).toBe(true);
    void next.runner.close();
    await disk.clock.advance(24 * 3_600_000);
    const last = await started(disk);
    expect(await last.say('m2', SECOND)).toEqual({ ok: true });
    await last.idle();
    expect(begun(disk)).toEqual([FIRST]);
  });

  it('is not run again when its id could not be recorded', async () => {
    const disk = steeringDisk();
    const rig = await started(disk);
    await joinByVoice(disk, rig, async () => {
      const record = holdRecordOf(disk, 'm2');
      void rig.say('m2', SECOND);
      await untilInInbox(disk, SECOND);
      disk.during = async () => {
        disk.store.refuse = ({ path }) => {
          if (path === RECORD) throw diskError('ENOSPC');
        };
        record.release();
        for (let round = 0; round < 4; round += 1) await settle();
      };
    });
    expect(joined(disk)).toEqual([SECOND]);
    expect(disk.store.files.get(RECORD)).not.toContain('m2');
    disk.store.refuse = null;
    await disk.clock.advance(60_000);
    expect(await rig.say('m2', SECOND)).toEqual({ ok: true });
    await rig.idle();
    expect(begun(disk)).toEqual([FIRST]);
  });

  it('runs or joins exactly once if it is delivered again, wherever the process is killed', async () => {
    const run = async (at: number, death: KillPoint) => {
      const disk = steeringDisk();
      const life = newLife(at, death);
      const rig = makeRig(disk, life);
      let isSaid = false;
      disk.during = async () => {
        if (isSaid) return;
        isSaid = true;
        void rig.say('m2', SECOND);
      };
      void rig
        .load()
        .then(() => rig.say('m1', FIRST))
        .catch(() => undefined);
      await settle();
      await rig.idle();
      await settle();
      await disk.clock.advance(1000);
      disk.during = async () => undefined;
      const next = await started(disk);
      for (const [id, text] of [
        ['m1', FIRST],
        ['m2', SECOND],
      ] as const) {
        expect(await next.say(id, text)).toEqual({ ok: true });
        await next.idle();
        await disk.clock.advance(60_000);
      }
      const where = `${death} operation ${at}`;
      expect([...begun(disk), ...joined(disk)].toSorted(), where).toEqual([SECOND, FIRST]);
      expect(ends(disk), where).toHaveLength(begun(disk).length);
      expect(inboxOn(disk), where).toEqual([]);
      void next.runner.close();
      return life.isDead;
    };
    for (const death of DEATHS) {
      for (let at = 0; await run(at, death); at += strideOf(13)) void at;
    }
  });
});
