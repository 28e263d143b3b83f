/** Bytes, or characters, of what a server may say at once. */
export const LARGEST = 10_000_000;

export const TOO_LARGE = 'More than 10 MB were said at once.';

export class TooLarge extends Error {
  constructor() {
    super(TOO_LARGE);
  }
}

/** More was said in a second than can be followed. */
export class Flood extends Error {}
