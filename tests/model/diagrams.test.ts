/** Which diagrams may load or run something, in notes and in answers. */
import { describe, expect, test } from 'vitest';
import { isUnsafeDiagram, mayDiagramLoad } from '#model/markdown/diagrams';

const HARMLESS = [
  'graph TD\nA[One<br>two] -->|text| B',
  'graph TD\nA[Then click] --> B',
  'sequenceDiagram\nA->>B: click here; then wait',
  'pie\n"Dogs" : 386',
  'stateDiagram-v2\nstate a <<fork>>\na --> b',
  'classDiagram\nclass Shape\n<<interface>> Shape',
];

/** Statements that make a node run code. */
const CLICKS = [
  'graph TD\nA --> B\nclick A call evil()',
  'graph TD;A-->B; click A evil',
  'graph TD\r\tclick A evil',
  'graph TD\n%%{x}%% click A evil',
  'classDiagram\ncallback A "evil"',
];

describe('a diagram', () => {
  test.each(HARMLESS)('without addresses or clicks is drawn: %j', (source) => {
    expect(mayDiagramLoad(source)).toBe(false);
    expect(isUnsafeDiagram(source)).toBe(false);
  });

  test.each(CLICKS)('with a click in a note is active content: %j', (source) => {
    expect(mayDiagramLoad(source)).toBe(true);
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

  test.each(['\n', '\r', ' \n', 'style ', '---\n ', '%%', ';', 'classDef'])(
    'with a long run of %j is judged to its end',
    (unit) => {
      const long = `graph TD\n${unit.repeat(300_000)}`;
      expect(mayDiagramLoad(`${long}\nclick A evil`)).toBe(true);
      expect(isUnsafeDiagram(`${long}\nclick A evil`)).toBe(true);
    },
  );
});
