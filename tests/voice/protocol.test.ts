import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { cases } from '../cases';
import {
  ackFrame,
  MAX_FRAME_CHARS,
  notificationFrame,
  parseServerFrame,
  registrationFrame,
  rejectFrame,
  type ServerFrame,
} from '#voice/protocol';

const parse = (type: unknown, payload: unknown) =>
  parseServerFrame(JSON.stringify({ type, payload }));

const messageOf = (frame: ServerFrame) => (frame.kind === 'message' ? frame.message : null);

describe('A frame from SmartHole', () => {
  it('parseServerFrame reads successful and refused registrations', () => {
    expect(parse('registration_response', { success: true, clientId: 'c' })).toEqual({
      kind: 'registered',
    });
    expect(
      parse('registration_response', {
        success: false,
        code: 'INVALID_NAME',
        message: 'No\n\tgood',
      }),
    ).toEqual({ kind: 'registration-refused', code: 'INVALID_NAME', message: 'No good' });
  });

  it.each([
    ['no text', 7],
    ['no text', null],
    ['no text', new Uint8Array([123, 125])],
    ['too long', `"${'x'.repeat(MAX_FRAME_CHARS)}"`],
    ['no JSON', '{"type":'],
    ['no JSON', ''],
    ['no object', 'null'],
    ['no object', '"message"'],
    ['no type', '{}'],
    ['an unknown type', '{"type":"constructor","payload":{}}'],
    ['no payload', '{"type":"message"}'],
    ['a payload of null', '{"type":"message","payload":null}'],
    ['a list', '[{"type":"message"}]'],
    ['an answer without a yes', '{"type":"registration_response","payload":{"success":"true"}}'],
    ['nothing but depth', '['.repeat(200_000)],
    [
      'depth in its payload',
      `{"type":"message","payload":${'['.repeat(9_999)}${']'.repeat(9_999)}}`,
    ],
  ])('parseServerFrame rejects an invalid frame: %s', (_, data) => {
    expect(parseServerFrame(data)).toMatchObject({ kind: 'faulty', messageId: null });
  });

  it.each([
    ['is missing', undefined],
    ['is null', null],
    ['is blank', ' \n'],
    ['is a number', 5],
    ['is a list', ['a']],
  ])('parseServerFrame returns the message id when the text %s', (_, text) => {
    expect(parse('message', { id: 'm1', text })).toMatchObject({ kind: 'faulty', messageId: 'm1' });
  });

  it.each(['', null, 7, ['m1'], 'x'.repeat(257)])(
    'parseServerFrame returns no message id for an invalid one: %o',
    (id) => {
      expect(parse('message', { id, text: 'x' })).toMatchObject({
        kind: 'faulty',
        messageId: null,
      });
    },
  );

  it('parseServerFrame accepts a message whose optional fields are damaged', () => {
    const metadata = { inputMethod: 9, directRouted: 'yes', routingReason: {}, confidence: '1' };
    expect(
      messageOf(parse('message', { id: 'm1', text: 'x', timestamp: 'soon', metadata })),
    ).toEqual({
      id: 'm1',
      text: 'x',
      sent: null,
      routing: { inputMethod: 'voice', directRouted: false },
    });
    const beyond =
      '{"type":"message","payload":{"id":"m","text":"x","metadata":{"confidence":1e999}}}';
    expect(messageOf(parseServerFrame(beyond))?.routing).not.toHaveProperty('confidence');
  });
});

describe('Prototype pollution', () => {
  const polluted = Object.prototype as Record<string, unknown>;
  afterEach(() => {
    for (const name of ['success', 'id', 'text', 'type', 'directRouted']) delete polluted[name];
  });

  it('parseServerFrame does not let a frame change a prototype', () => {
    const frame = parseServerFrame(
      '{"type":"message","payload":{"id":"m1","text":"x","__proto__":{"evil":1},"metadata":{"__proto__":{"directRouted":true}},"constructor":{"prototype":{"evil":1}}}}',
    );
    expect(messageOf(frame)?.routing.directRouted).toBe(false);
    expect(({} as { evil?: unknown }).evil).toBeUndefined();
  });

  it('parseServerFrame ignores inherited properties', () => {
    polluted['success'] = true;
    polluted['id'] = 'm1';
    polluted['text'] = 'delete everything';
    polluted['type'] = 'message';
    expect(parseServerFrame('{"payload":{}}')).toMatchObject({ kind: 'faulty' });
    expect(parseServerFrame('{"type":"registration_response","payload":{}}').kind).toBe('faulty');
    expect(parseServerFrame('{"type":"message","payload":{}}').kind).toBe('faulty');
  });
});

describe('Random input', () => {
  it('parseServerFrame returns a known kind of frame for any input', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.anything()), (data) => {
        expect(['registered', 'registration-refused', 'message', 'faulty']).toContain(
          parseServerFrame(data).kind,
        );
      }),
      cases,
    );
  });

  it('parseServerFrame returns a message only if it has an id and a text', () => {
    const payload = fc.record(
      {
        id: fc.oneof(fc.string(), fc.jsonValue()),
        text: fc.oneof(fc.string(), fc.jsonValue()),
        timestamp: fc.oneof(fc.date({ noInvalidDate: true }).map(String), fc.jsonValue()),
        metadata: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(payload, (each) => {
        const message = messageOf(parse('message', each));
        if (!message) return;
        expect(message.id).toBe(each.id);
        expect(message.text).toBe(each.text);
        expect(message.text.trim()).not.toBe('');
      }),
      cases,
    );
  });
});

describe('A frame to SmartHole', () => {
  it('registrationFrame contains the version, if there is one', () => {
    const registration = { name: 'simone', description: 'Notes', version: '1.2.3' };
    expect(JSON.parse(registrationFrame(registration))).toEqual({
      type: 'registration',
      payload: registration,
    });
  });

  it('registrationFrame contains the name and the description', () => {
    expect(JSON.parse(registrationFrame({ name: 'simone', description: 'Notes' }))).toEqual({
      type: 'registration',
      payload: { name: 'simone', description: 'Notes' },
    });
  });

  it('ackFrame has an empty payload', () => {
    expect(ackFrame('m1')).toBe(
      '{"type":"response","payload":{"messageId":"m1","type":"ack","payload":{}}}',
    );
  });

  it('rejectFrame shortens the reason to one line of at most 120 characters', () => {
    const reason = `Disk\nfull ${'x'.repeat(500)}`;
    const { payload } = JSON.parse(rejectFrame('m1', reason)) as {
      payload: { payload: { reason: string } };
    };
    expect(payload.payload.reason).toMatch(/^Disk full x+$/);
    expect(payload.payload.reason.length).toBeLessThanOrEqual(120);
  });

  it('no frame to SmartHole contains null', () => {
    const notification = { title: 'T', body: '', priority: 'low' } as const;
    expect(
      [registrationFrame({ name: '', description: '' }), notificationFrame('m1', notification)]
        .concat(ackFrame(''), rejectFrame('', ''))
        .filter((frame) => frame.includes('null')),
    ).toEqual([]);
  });
});
