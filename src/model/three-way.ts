/** Two changes of one text brought together: what only one of them touched is taken from it. */

/** Where both changed the same lines, each in its own way; `mine` stands in the text. */
export interface Conflict {
  /** Of the text, from 1. */
  readonly line: number;
  readonly mine: string;
  readonly theirs: string;
  readonly base: string;
}

export interface Merged {
  readonly text: string;
  readonly conflicts: readonly Conflict[];
}

export function mergeThree(base: string, mine: string, theirs: string): Merged {
  const [b, m, t] = [linesOf(base), linesOf(mine), linesOf(theirs)];
  const inMine = matches(b, m);
  const inTheirs = matches(b, t);
  const out: string[] = [];
  const conflicts: Conflict[] = [];
  let [i, j, k] = [0, 0, 0];
  while (i <= b.length) {
    let next = i;
    while (next < b.length && (inMine[next] === undefined || inTheirs[next] === undefined)) next++;
    const [endM, endT] = [inMine[next] ?? m.length, inTheirs[next] ?? t.length];
    const [old, own, other] = [b.slice(i, next), m.slice(j, endM), t.slice(k, endT)].map((each) =>
      each.join(''),
    ) as [string, string, string];
    if (own === other || other === old) out.push(own);
    else if (own === old) out.push(other);
    else {
      conflicts.push({ line: lineCount(out) + 1, mine: own, theirs: other, base: old });
      out.push(own);
    }
    if (next < b.length) out.push(b[next] ?? '');
    [i, j, k] = [next + 1, endM + 1, endT + 1];
  }
  return { text: out.join(''), conflicts };
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/).filter((line) => line !== '');
}

function lineCount(parts: readonly string[]): number {
  return parts.join('').split('\n').length - 1;
}

/** For each line of `a` its place in `b`, in the longest common run. */
function matches(a: readonly string[], b: readonly string[]): (number | undefined)[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const [row, below] = [lengths[i]!, lengths[i + 1]!];
      row[j] = a[i] === b[j] ? below[j + 1]! + 1 : Math.max(below[j]!, row[j + 1]!);
    }
  }
  const found: (number | undefined)[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) found[i++] = j++;
    else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) i++;
    else j++;
  }
  return found;
}
