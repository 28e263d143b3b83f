/** SmartHole shows ten notifications a minute for all programs together. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testClock } from '../builders/fake-clock';
import { cases } from '../cases';
import { NotificationCenter } from '#workbench/smarthole/notification-centre';
import { NotificationPace } from '#voice/notification-sender';

const MINUTE_MS = 60_000;

it('a question is shown at once beside four notifications a minute of other programs, however much Parley has to say', async () => {
  const waits = fc.array(fc.constantFrom(0, 500, 2_000, 15_000), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(waits, async (pauses) => {
      const clock = testClock();
      const pace = new NotificationPace();
      const centre = new NotificationCenter(clock, () => undefined);
      const send = async (title: string, priority: 'normal' | 'high') => {
        const isUrgent = priority === 'high';
        await clock.advance(pace.wait(clock.elapsed(), isUrgent));
        pace.take(title, clock.elapsed(), isUrgent);
        centre.take({ title, body: '', priority }, 'simone', 'm1');
      };
      for (const [at, pause] of pauses.entries()) {
        await clock.advance(pause);
        await send(`End ${at}`, 'normal');
      }
      for (let at = 0; at < 3; at += 1) {
        centre.take({ title: `Mail ${at}`, body: '', priority: 'normal' }, 'mail', `x${at}`);
        await clock.advance(1_000);
      }
      await send('Which list?', 'high');
      const sent = clock.now();
      await clock.advance(MINUTE_MS);
      const shown = centre.shown.find(({ title }) => title === 'Which list?');
      expect((shown?.at ?? Infinity) - sent).toBeLessThanOrEqual(1_000);
    }),
    cases,
  );
});
