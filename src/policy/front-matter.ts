/** A note in two: the lines between the fences at its top, null where there are none, and all below. */
export function splitNote(text: string): { front: readonly string[] | null; body: string } {
  const found = FRONT_MATTER.exec(text);
  if (!found) return { front: null, body: text };
  const [whole, inside] = found;
  return {
    front: inside === undefined ? [] : inside.split(/\r?\n/),
    body: text.slice(whole.length),
  };
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??---[ \t]*(?:\r?\n|$)/;
