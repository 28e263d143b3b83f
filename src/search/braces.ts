/** `a{b,c}` stands for `ab` and `ac`, `{1..3}` for three numbers. What a brace holds else is left as it is. */
export function* expandBraces(glob: string): Iterable<string> {
  const group = firstGroup(glob);
  if (!group) {
    yield glob;
    return;
  }
  for (const choice of group.choices)
    for (const start of expandBraces(choice))
      for (const rest of expandBraces(group.after)) yield group.before + start + rest;
}

interface Group {
  before: string;
  choices: Iterable<string>;
  after: string;
}

function firstGroup(glob: string): Group | undefined {
  for (let start = 0; start < glob.length; start += glob[start] === '\\' ? 2 : 1) {
    const parts = glob[start] === '{' ? partsOf(glob, start) : undefined;
    if (!parts) continue;
    const choices = parts.length > 1 ? parts : range(parts[0]!);
    if (!choices) continue;
    const length = parts.join(',').length + '{}'.length;
    return { before: glob.slice(0, start), choices, after: glob.slice(start + length) };
  }
  return undefined;
}

/** What stands between the brace that opens here, its own commas and the brace that closes it. */
function partsOf(glob: string, start: number): string[] | undefined {
  const parts: string[] = [];
  let depth = 1;
  let from = start + 1;
  for (let at = from; at < glob.length; at += glob[at] === '\\' ? 2 : 1) {
    const sign = glob[at];
    if (sign === '{') depth++;
    if (sign === '}') depth--;
    if (depth === 0 || (depth === 1 && sign === ',')) {
      parts.push(glob.slice(from, at));
      from = at + 1;
    }
    if (depth === 0) return parts;
  }
  return undefined;
}

/** From a number or letter to another, in steps: `1..9`, `01..10`, `a..e`, `0..100..10`. */
function range(written: string): Iterable<string> | undefined {
  const [, from, to, step = '1'] =
    /^(-?\d+)\.\.(-?\d+)(?:\.\.-?(\d+))?$/.exec(written) ??
    /^([a-z])\.\.([a-z])(?:\.\.-?(\d+))?$/i.exec(written) ??
    [];
  return from === undefined || to === undefined ? undefined : steps(from, to, Number(step) || 1);
}

function* steps(from: string, to: string, step: number): Iterable<string> {
  const isNumber = /\d/.test(from);
  const [first, last] = isNumber
    ? [Number(from), Number(to)]
    : [from.charCodeAt(0), to.charCodeAt(0)];
  // `01` asks for as many digits everywhere.
  const width = [from, to].some((each) => /^-?0\d/.test(each))
    ? Math.max(from.length, to.length)
    : 0;
  const direction = Math.sign(last - first) || 1;
  for (let at = first; (last - at) * direction >= 0; at += step * direction) {
    if (!isNumber) yield String.fromCharCode(at);
    else yield at < 0 ? `-${`${-at}`.padStart(width - 1, '0')}` : `${at}`.padStart(width, '0');
  }
}
