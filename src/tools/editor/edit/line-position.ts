/** The parsed position of an edit of whole lines, such as `after:## Heading` or `replace:4-6`. */
export type Position =
  | { at: 'start' | 'end' }
  | { at: 'after' | 'before' | 'end-of'; heading: string }
  | { at: 'insert'; line: number }
  | { at: 'replace' | 'delete'; from: number; to: number };

export const VALID_POSITIONS =
  'Valid positions are `start`, `end`, `after:## Heading`, `before:## Heading`, `end-of:## Heading`, `insert:N` ' +
  '(before line N), `replace:N` or `replace:N-M`, `delete:N` or `delete:N-M`.';

/** Parses a position. A string is an error message with the valid forms. */
export function readPosition(written: string): Position | string {
  const position = written.trim();
  if (position === 'start' || position === 'end') return { at: position };
  const colon = position.indexOf(':');
  const verb = colon === -1 ? position : position.slice(0, colon).trim();
  const rest = colon === -1 ? '' : position.slice(colon + 1).trim();
  switch (verb) {
    case 'after':
    case 'before':
    case 'end-of':
      if (rest.replace(/^#+/, '').trim() === '') return `it names no heading. ${VALID_POSITIONS}`;
      return { at: verb, heading: rest };
    case 'insert': {
      const line = readNumber(rest);
      if (line === null) return `it needs one line number, as in \`insert:12\`. ${VALID_POSITIONS}`;
      return line === 0 ? FROM_ONE : { at: 'insert', line };
    }
    case 'replace':
    case 'delete':
      return readRange(verb, rest);
    default:
      return `not a valid position. ${VALID_POSITIONS}`;
  }
}

const FROM_ONE = 'lines are counted from 1.';

function readRange(verb: 'replace' | 'delete', rest: string): Position | string {
  const [first = '', second, ...more] = rest.split(/[-–]/);
  const from = readNumber(first);
  const to = second === undefined ? from : readNumber(second);
  if (from === null || to === null || more.length > 0) {
    return `it needs a line or a range, as in \`${verb}:12\` or \`${verb}:12-14\`. ${VALID_POSITIONS}`;
  }
  if (from === 0 || to === 0) return FROM_ONE;
  if (from > to) return `its range runs backwards; write \`${verb}:${to}-${from}\`.`;
  return { at: verb, from, to };
}

function readNumber(written: string): number | null {
  return /^\d+$/.test(written.trim()) ? Number(written) : null;
}
