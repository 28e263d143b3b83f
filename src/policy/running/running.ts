/** Something in a text that does more than to be read. */
export interface Running {
  /** What it is, for a person: "a block of `dataviewjs`", "an image from example.org". */
  readonly what: string;
  /** All that would run or load. */
  readonly text: string;
}
