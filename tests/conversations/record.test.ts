import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventLine, readLines } from '#conversations/conversation-file';
import type { Event } from '#model/event';
import { cases } from '#tests/cases';

const event = (title: string): Event =>
  ({ type: 'title-set', title, conversation: 'c', time: 1 }) as Event;
const titles = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 8 });

describe('The saved form of a conversation', () => {
  it('is one line per event, whatever the text in it', () => {
    fc.assert(
      fc.property(titles, (written) => {
        const events = written.map(event);
        const text = events.map(eventLine).join('');
        expect(text.match(/\n/g)).toHaveLength(events.length);
        expect(readLines(text)).toEqual({ events, damaged: 0, mend: '' });
      }),
      cases,
    );
  });

  it('loses only the line that was being written when the power went', () => {
    fc.assert(
      fc.property(titles, fc.nat(), (written, cut) => {
        const lines = written.map((title) => eventLine(event(title)));
        const text = lines.join('');
        const left = text.slice(0, cut % (text.length + 1));
        const whole = left.split('\n').length - 1;
        const read = readLines(left);
        expect(read.mend !== '').toBe(left !== '' && !left.endsWith('\n'));
        // A line cut of nothing but its end is whole.
        expect([whole, whole + 1]).toContain(read.events.length);
        expect(read.events).toEqual(written.map(event).slice(0, read.events.length));
        expect(read.damaged).toBe(0);
        // Mended, it goes on as if the cut line had never been begun.
        const next = event('next');
        const again = readLines(left + read.mend + eventLine(next));
        expect(again).toEqual({ events: [...read.events, next], damaged: 0, mend: '' });
      }),
      cases,
    );
  });

  it('counts what is no event as damaged, and passes by empty lines', () => {
    const rest = eventLine(event('A'));
    const text = `${rest}\n\n42\nnull\n[]\n{"type":"x"}\n{"time":1}\n{"tor\n${rest}`;
    expect(readLines(text)).toEqual({ events: [event('A'), event('A')], damaged: 6, mend: '' });
  });
});
