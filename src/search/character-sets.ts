/**
 * Tests which characters a pattern's sets contain. It asks JavaScript's own engine, so that case,
 * Unicode properties and classes behave as in a search.
 */
export class CharacterSets {
  private readonly tests = new Map<string, RegExp>();
  private readonly samples: readonly string[];
  private readonly masks = new Map<string, bigint>();

  /** `flags` are `i`, `u`, both or none. */
  constructor(
    private readonly flags: string,
    pattern: string,
  ) {
    this.samples = sampleCharacters(pattern);
  }

  has(source: string, character: string): boolean {
    let test = this.tests.get(source);
    if (!test) this.tests.set(source, (test = new RegExp(`^(?:${source})$`, this.flags)));
    return test.test(character);
  }

  /**
   * One bit for each sample character in the set. The samples are Latin-1, the characters in the
   * pattern, and some from other scripts. Two sets that share only other characters count as
   * disjoint.
   */
  mask(source: string): bigint {
    let mask = this.masks.get(source);
    if (mask === undefined) {
      const bits = this.samples.map((character) => (this.has(source, character) ? '1' : '0'));
      this.masks.set(source, (mask = BigInt(`0b0${bits.join('')}`)));
    }
    return mask;
  }

  get everything(): bigint {
    return (1n << BigInt(this.samples.length)) - 1n;
  }
}

function sampleCharacters(pattern: string): string[] {
  const written = [...pattern].flatMap((character) => [
    character,
    character.toLowerCase(),
    character.toUpperCase(),
  ]);
  const codes = [...pattern.matchAll(/\\(?:x|u\{?)([\da-f]{1,6})/gi)]
    .map((match) => Number.parseInt(match[1]!, 16))
    .filter((code) => code <= 0x10ffff)
    .map((code) => String.fromCodePoint(code));
  const latin = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));
  return [...new Set([...latin, ...elsewhere, ...written, ...codes])];
}

const elsewhere =
  'ĀāŁłſƀǅʰʼ\u0301\u0345ΑαΩωϐЯяԱաאתءب٣\u064eअ२กเ漢字々〇あアー한ᄀ፩ᏣẞἈ' +
  '\u2003\u200b\u200d\u2028\u2029–—‘’“”•…€№ⅣⅷKÅ→∑⌘①│■☀✓❤\ufe0f　、。「」ＡａＺ１！\ufeff\ue000𝒜𐐀😀🏽\ud800\udfff';
