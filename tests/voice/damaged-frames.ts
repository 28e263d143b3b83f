/** Generators of invalid frames: random ones, and valid ones that were damaged. */
import fc from 'fast-check';

/** Texts of frames, most of them damaged versions of `good`. */
export function damagedFrames(good: fc.Arbitrary<object>): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.tuple(good, changes).map(changed) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(
          good.map((each) => JSON.stringify(each)),
          cuts,
        )
        .map(cut),
    },
    { weight: 2, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    { weight: 1, arbitrary: fc.constantFrom(...HEAVY) },
  );
}

const HEAVY = [
  '['.repeat(5_000),
  `{"type":"message","payload":${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}}`,
  `{"type":"message","payload":{"id":"long","text":"${' '.repeat(50_000)}"}}`,
  '{"type":"message","payload":{"__proto__":{"id":"m","text":"x"}}}',
  '{"__proto__":{"type":"message"},"payload":{"id":"m","text":"x"}}',
  '{"type":{"toString":"message"},"payload":[]}',
  '\u0000',
  '',
];

/** Index of a property in the frame and its new value; without a value, the property is deleted. */
const changes = fc.array(
  fc.record(
    {
      at: fc.nat({ max: 20 }),
      value: fc.oneof(
        fc.constantFrom(null, '', 0, {}, [], true, 'ack', '__proto__'),
        fc.jsonValue(),
      ),
    },
    { requiredKeys: ['at'] },
  ),
  { minLength: 1, maxLength: 3 },
);

interface Change {
  readonly at: number;
  readonly value?: unknown;
}

function changed([good, wanted]: [object, readonly Change[]]): string {
  const frame = JSON.parse(JSON.stringify(good)) as Record<string, unknown>;
  for (const change of wanted) {
    const places = placesIn(frame);
    const place = places[change.at % Math.max(1, places.length)];
    if (!place) break;
    if ('value' in change) place.holder[place.name] = change.value;
    else delete place.holder[place.name];
  }
  return JSON.stringify(frame);
}

interface Place {
  readonly holder: Record<string, unknown>;
  readonly name: string;
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...placesIn(holder[name])]);
}

/** Replaces part of the frame's text. */
const cuts = fc.record({
  from: fc.nat({ max: 300 }),
  gone: fc.nat({ max: 30 }),
  put: fc.oneof(
    fc.constant(''),
    fc.constantFrom('"', '}', ',', 'null', '\\', '[', '0'),
    fc.string(),
  ),
});

function cut([text, { from, gone, put }]: [string, { from: number; gone: number; put: string }]) {
  const at = from % (text.length + 1);
  return text.slice(0, at) + put + text.slice(at + gone);
}
