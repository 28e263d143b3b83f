/** Words that are nearly spelled alike. */

/** How many letters may be wrong, missing, too many or have changed places. */
export function typosIn(word: string): number {
  // Another number is another thing.
  if (word.length < 5 || /\p{N}/u.test(word)) return 0;
  return word.length <= 8 ? 1 : 2;
}

/** Whether a word of a note may stand for a word of a query: the first letter is hardly ever the wrong one. */
export function isMisspelling(word: string, name: string, typos: number): boolean {
  return typos > 0 && name.charCodeAt(0) === word.charCodeAt(0) && isAlike(word, name, typos);
}

/** A bit for each letter of a word; a typo changes at most two of them. */
export function lettersOf(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31);
  return bits;
}

/** Tells most words apart that are not alike, and none that are. */
export function mayBeAlike(letters: number, others: number, most: number): boolean {
  let differing = letters ^ others;
  for (let left = most * 2; differing !== 0; left--) {
    if (left === 0) return false;
    differing &= differing - 1;
  }
  return true;
}

export function isAlike(word: string, other: string, most: number): boolean {
  if (Math.abs(word.length - other.length) > most) return false;
  let [before, row] = [[] as number[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= word.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= other.length; j++) {
      const isSame = word[i - 1] === other[j - 1];
      let typos = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && word[i - 1] === other[j - 2] && word[i - 2] === other[j - 1]) {
        typos = Math.min(typos, before[j - 2]! + 1);
      }
      next.push(typos);
      least = Math.min(least, typos);
    }
    if (least > most) return false;
    [before, row] = [row, next];
  }
  return row[other.length]! <= most;
}
