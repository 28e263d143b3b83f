import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines } from '#conversations/conversation-file';
import { jsonLine } from '#ports/line-file';
import type { Event } from '#model/event';
import { cases } from '#tests/cases';

const event = (title: string): Event =>
  ({ type: 'title-set', title, conversation: 'c', time: 1 }) as Event;
const titles = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 8 });

describe('The conversation file', () => {
  it('jsonLine prints any event as one line, which readLines reads back', () => {
    fc.assert(
      fc.property(titles, (written) => {
        const events = written.map(event);
        const text = events.map(jsonLine).join('');
        expect(text.match(/\n/g)).toHaveLength(events.length);
        expect(readLines(text)).toEqual({ events, damaged: 0, repair: '' });
      }),
      cases,
    );
  });

  it('readLines loses at most the last line of a file that was cut anywhere', () => {
    fc.assert(
      fc.property(titles, fc.nat(), (written, cut) => {
        const lines = written.map((title) => jsonLine(event(title)));
        const text = lines.join('');
        const left = text.slice(0, cut % (text.length + 1));
        const whole = left.split('\n').length - 1;
        const read = readLines(left);
        expect(read.repair !== '').toBe(left !== '' && !left.endsWith('\n'));
        // A line that lacks only its line break is complete.
        expect([whole, whole + 1]).toContain(read.events.length);
        expect(read.events).toEqual(written.map(event).slice(0, read.events.length));
        expect(read.damaged).toBe(0);
        // After the repair, the next event is read as if the cut line had never existed.
        const next = event('next');
        const again = readLines(left + read.repair + jsonLine(next));
        expect(again).toEqual({ events: [...read.events, next], damaged: 0, repair: '' });
      }),
      cases,
    );
  });

  it.each(['moon-rise', '__proto__', 'toString'])(
    'readLines reads all lines of a file with an event of the unknown type %s',
    (type) => {
      const strange = { ...event('A'), type };
      const text = [event('A'), strange, event('B')].map(jsonLine).join('');
      expect(readLines(text).events).toEqual([event('A'), strange, event('B')]);
      expect(readLines(text).damaged).toBe(0);
    },
  );

  it('readLines counts lines that are not events as damaged, and ignores empty lines', () => {
    const rest = jsonLine(event('A'));
    const text = `${rest}\n\n42\nnull\n[]\n{"type":"x"}\n{"time":1}\n{"tor\n${rest}`;
    expect(readLines(text)).toEqual({ events: [event('A'), event('A')], damaged: 6, repair: '' });
  });
});
