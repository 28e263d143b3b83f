/** What has come of an event stream since its last message: comments and other events can go on for ever as well. */
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];
/** Characters of a line that tell what it is. */
const HEAD = 20;

export class Unheard {
  /** Bytes. */
  size = 0;
  #line = 0;
  #head = '';
  #last = 0;
  #hasData = false;
  #isOther = false;

  add(chunk: Uint8Array): void {
    for (const byte of chunk) {
      this.size += 1;
      if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) {
        this.#line += 1;
        if (this.#line <= HEAD) this.#head += String.fromCharCode(byte);
      } else if (byte !== LINE_FEED || this.#last !== CARRIAGE_RETURN) {
        this.#endLine();
      }
      this.#last = byte;
    }
  }

  #endLine(): void {
    // An empty line ends the event.
    if (this.#line === 0) {
      if (this.#hasData && !this.#isOther) this.size = 0;
      this.#hasData = this.#isOther = false;
    } else if (this.#head.startsWith('data:')) {
      this.#hasData ||= this.#line > 'data: '.length;
    } else if (this.#head.startsWith('event:')) {
      this.#isOther = !/^event: ?message$/.test(this.#head);
    }
    this.#line = 0;
    this.#head = '';
  }
}
