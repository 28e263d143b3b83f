/** Texts that are hard to read: pieces of syntax repeated, alone and in random combinations. */

const MARKS = [
  ...[
    '```x\n  ',
    '```\n',
    '```ad-a\n',
    '`',
    '``` ',
    '`a` ',
    '~~~',
    '<a style="',
    '<a ',
    '<img alt="',
    '<a/src=',
  ],
  ...[
    '<script ',
    '<!--',
    '<?',
    '<',
    '</a>',
    '![',
    '![](',
    '![x](',
    '[',
    '](',
    '] (',
    ']:',
    '[a]: <',
    '](<',
  ],
  ...[
    '$',
    '$$',
    '$a$ ',
    '\\href',
    '%%',
    '<%',
    '- ',
    '> ',
    '1. ',
    '- - ',
    '>',
    '\t',
    '    a\n',
    '[[',
    '![[',
  ],
  ...[
    'data:',
    'obsidian:',
    'ms-',
    'a',
    'ab ',
    'a\n',
    '\n',
    '\n\n',
    '---\n',
    '[^1]:',
    '[^1]',
    '|',
    '|a|\n',
    '|-|\n',
  ],
  ...[
    'a: b\n',
    '- a: "',
    '"',
    "'",
    '\\',
    '\\\\',
    '&#',
    '&amp;',
    '*',
    '**',
    '_',
    '__',
    '*a',
    '**a ',
    '~~',
    '==',
    '^',
  ],
  ...[
    '#',
    '# a\n',
    '=\n',
    '-\n',
    '{',
    '}',
    '{"a":',
    '[1,',
    ',',
    ';',
    '\r',
    '\r\n',
    '\u00e9 ',
    '\u6f22',
    '\ud83d\ude00',
  ],
  ...[
    '\u0301',
    '\u200b',
    '\u202e',
    '(',
    ')',
    'http://a.b ',
    'www.a ',
    'a@b.c ',
    '#ai_edit\n',
    '```ai-edit\n{',
    ' ',
    ' \n',
  ],
];

/** A text of about `size` characters. */
export interface HardInput {
  readonly name: string;
  readonly make: (size: number) => string;
}

function repeated(unit: string, before = '', after = ''): HardInput {
  return {
    name: `${JSON.stringify(before)} + ${JSON.stringify(unit)} × n + ${JSON.stringify(after)}`,
    make: (size) => before + unit.repeat(Math.max(1, Math.floor(size / unit.length))) + after,
  };
}

/** A number generator whose numbers are the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** @param count of random combinations */
export function hardInputs(count: number): HardInput[] {
  const next = numbers(21);
  const mark = () => MARKS[Math.floor(next() * MARKS.length)] ?? '';
  const some = (most: number) =>
    Array.from({ length: 1 + Math.floor(next() * most) }, mark).join('');
  return [
    ...MARKS.flatMap((unit) => [repeated(unit), repeated(`${unit}\n`, 'a', 'x')]),
    ...Array.from({ length: count }, () =>
      repeated(some(4), next() < 0.5 ? '' : some(2), next() < 0.5 ? '' : some(2)),
    ),
    {
      name: 'lines that all differ',
      make: (size) =>
        Array.from({ length: Math.ceil(size / 8) }, (_, at) => `a${at.toString(36)}`).join('\n'),
    },
    {
      name: 'words that all differ',
      make: (size) => Array.from({ length: Math.ceil(size / 7) }, (_, at) => `w${at}`).join(' '),
    },
    {
      name: 'random marks',
      make: (size) => {
        const random = numbers(7);
        const parts: string[] = [];
        for (let length = 0; length < size;) {
          const part = MARKS[Math.floor(random() * MARKS.length)] ?? '';
          parts.push(part);
          length += part.length;
        }
        return parts.join('');
      },
    },
  ];
}
