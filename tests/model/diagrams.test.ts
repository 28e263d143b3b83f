/** Which diagrams of answers may load or run something. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isUnsafeDiagram } from '#text/embedded-languages';

const HARMLESS = [
  'graph TD\nA[One<br>two] -->|text| B',
  'graph TD\nA[Then click] --> B',
  'sequenceDiagram\nA->>B: click here; then wait',
  'pie\n"Dogs" : 386',
  'stateDiagram-v2\nstate a <<fork>>\na --> b',
  'classDiagram\nclass Shape\n<<interface>> Shape',
  'sequenceDiagram\nA->>B: please click the "OK" button',
  'graph TD\nA{Decide} --> B[click to call me (now)]',
  'classDiagram\nclass A{\n+link b\n}\nA --> B : link "x"',
  'C4Context\nPerson(a, "Customer", "Note: a person")\nRel(a, b, "Uses", "HTTPS")',
  'gantt\nsection End\nclean up :a1, 2024-01-01, 3d\nLinking words :a2, after a1, 1d',
];

/** Statements that act on a click, and diagrams that they are in. */
const ACTS = fc.oneof(
  fc
    .record({
      head: fc.constantFrom(
        'graph TD\nsubgraph a\nA\n',
        'flowchart LR\nA\n',
        'gantt\nx :t1, 2024-01-01, 1d\n',
      ),
      lead: fc.constantFrom(
        ...['', 'end ', 'end end ', 'end\t', 'inclusiveEndDates ', 'topAxis ', 'weekday monday '],
        ...['weekend friday topAxis ', 'accDescr {words} ', 'accDescr {\nwords\n}', 'A; end '],
      ),
      act: fc.constantFrom(
        'click A call eval("1+1")',
        'click t1 call eval("1")',
        'click A href "steam:run"',
        'click A "steam:run"',
        'click A evil',
        'CLICK t1 call evil()',
      ),
    })
    .map(({ head, lead, act }) => `${head}${lead}${act}\n`),
  fc
    .record({
      lead: fc.constantFrom('', '  ', 'class A {\n+x\n} ', 'accDescr {x}', '%% words\n'),
      act: fc.constantFrom(
        'link A "steam:run"',
        'link A "steam:run" "Words"',
        'link `A b` "steam:run"',
        'Link  A~T~ "steam:run"',
        'callback A "evil"',
      ),
    })
    .map(({ lead, act }) => `classDiagram\nclass A\n${lead}${act}`),
  fc
    .record({
      kind: fc.constantFrom('C4Context', 'C4Container', 'C4Component', 'C4Deployment'),
      element: fc.constantFrom('Person', 'System_Ext', 'Container', 'Rel'),
      last: fc.constantFrom(
        '$link="steam:run"',
        '$link = "steam: run"',
        '$tags="a", $LINK="x"',
        '"", "", "steam:run"',
      ),
    })
    .map(({ kind, element, last }) => `${kind}\n${element}(a, "A", "b", ${last})`),
  fc.constantFrom(
    'sequenceDiagram\nlink A: Words @ steam:run',
    'sequenceDiagram\nA->>B: x\nlinks A: {"Words": "steam:run"}',
  ),
);

describe('a diagram', () => {
  test.each(HARMLESS)('without addresses or clicks is drawn: %j', (source) => {
    expect(isUnsafeDiagram(source)).toBe(false);
  });

  test('that acts on a click stays text wherever the statement is', () => {
    fc.assert(
      fc.property(ACTS, (source) => {
        expect(isUnsafeDiagram(source)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    'graph TD\n  click A evil',
    'graph TD\n---\nx',
    'graph TD\nstyle A fill:expression(1)',
    'graph TD\nclassDef a fill:red; style b{}',
    'graph TD\nA[url(x)]',
    'sequenceDiagram\nlink A: x @ y',
  ])('that could act while it is drawn stays text: %j', (source) => {
    expect(isUnsafeDiagram(source)).toBe(true);
  });

  test.each([
    '\n',
    '\r',
    ' \n',
    'style ',
    '---\n ',
    '%%',
    ';',
    'classDef',
    'end ',
    'click ',
    'link ',
    '}',
    '"a',
    '$',
  ])('with a long run of %j is judged to its end', (unit) => {
    const long = `graph TD\n${unit.repeat(300_000)}`;
    expect(isUnsafeDiagram(`${long}\nclick A evil`)).toBe(true);
  });
});
