import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodedPieces } from '#search/text-pieces';

const whole = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(bytes: Uint8Array): string | null {
  try {
    const text = whole.decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

const run = fc.tuple(fc.constantFrom('a', 'é', 'line\n'), fc.integer({ min: 1, max: 150 }));
const written = fc
  .array(
    fc.oneof(
      run.map(([part, times]) => part.repeat(times)),
      fc.constantFrom('—', '’', '京都', '\uFEFF', '👋', '\0'),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

it('bytes decode in pieces to the same text as the whole, or to none like it', () => {
  const damage = fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 4 }));
  fc.assert(
    fc.property(written, fc.option(damage), (text, damaged) => {
      const whole = new TextEncoder().encode(text);
      const [place, broken] = damaged ?? [0, []];
      const at = place % (whole.length + 1);
      const bytes = Uint8Array.from([...whole.subarray(0, at), ...broken, ...whole.subarray(at)]);
      expect(decodedPieces(bytes)?.join('') ?? null).toBe(decoded(bytes));
    }),
    { numRuns: 1_000 },
  );
});

it('only characters near those beyond Latin-1 share a piece with them', () => {
  const prose = 'Grüße. '.repeat(40);
  const pieces = decodedPieces(new TextEncoder().encode(`${prose}—${prose}`));
  expect(pieces).toEqual([prose, '—', prose]);
});
