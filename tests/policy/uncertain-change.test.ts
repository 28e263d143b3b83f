/** A change that adds what may run or load waits for the user, in each mode. */
import { describe, expect, it } from 'vitest';
import { ANY_DEVICE, readEdits, textsOf } from '#model/edit/note-edits';
import { memoryBench, type MemoryBench } from '#tests/builders/tools';

const SCRIPT = '```dataviewjs\napp.vault.delete()\n```';

async function apply(files: Record<string, string>, tool: string, input: object) {
  const bench = memoryBench(files);
  for (const path of Object.keys(files)) await bench.call('read_file', { path });
  return { bench, told: await bench.expectSuccess(tool, input) };
}

const texts = (bench: MemoryBench, path: string) =>
  textsOf(readEdits(bench.notes.text(path), ANY_DEVICE));

describe('in Apply', () => {
  it('a note from a template with code that runs is proposed', async () => {
    const files = { 'Templates/Day.md': `Words.\n\n${SCRIPT}\n` };
    const { bench, told } = await apply(files, 'apply_template', {
      template: 'Templates/Day.md',
      path: 'Day.md',
    });
    expect(told).toContain('because it adds a block of `dataviewjs`');
    expect(texts(bench, 'Day.md').before).not.toContain('dataviewjs');
  });

  it('a change that adds a script is proposed in the note, and the result says why', async () => {
    const edits = [{ position: 'end', content: SCRIPT }];
    const { bench, told } = await apply({ 'A.md': 'One.\n' }, 'edit_file', { path: 'A.md', edits });
    expect(told).toMatch(/^Proposed to change A\.md/);
    expect(told).toContain(
      'It waits for the user, whatever the mode, because it adds a block of `dataviewjs`',
    );
    expect(texts(bench, 'A.md')).toEqual({ before: 'One.\n', after: `One.\n${SCRIPT}\n` });
  });

  it.each([
    ['Text.\n', `Text.\n\n${SCRIPT}\n`, 'adds a block of `dataviewjs`'],
    [`${SCRIPT}\n`, `${SCRIPT}\n\n${SCRIPT}\n`, 'adds a block of `dataviewjs`'],
    ['Red <img src=x>.\n', 'White <img src=x>.\n', 'changes an HTML element'],
    [
      `\`\`\`\`md\n${SCRIPT}\n\`\`\`\`\n`,
      `${SCRIPT}\n`,
      'changes how a block of `dataviewjs` is read',
    ],
    ['```\r\n<img src=x>\r\n```\r\n', '<img src=x>\r\n', 'changes how an HTML element is read'],
    [
      '---\ncover: https://a.example/x.png\n---\n',
      '---\ncover: https://b.example/x.png\n---\n',
      'changes a property',
    ],
    ['', '---\ncover: https://b.example/x.png\n---\n', 'adds a property'],
  ])('a change of %j to %j says that it waits because it %s', async (before, content, act) => {
    const { told } = await apply({ 'A.md': before }, 'write_file', { path: 'A.md', content });
    expect(told).toContain(`whatever the mode, because it ${act}, which may run code`);
  });

  it('a new note with a template command is proposed', async () => {
    const { bench, told } = await apply({}, 'write_file', {
      path: 'B.md',
      content: 'A <% tp.x %>',
    });
    expect(told).toMatch(/^Proposed to create B\.md/);
    expect(texts(bench, 'B.md')).toEqual({ before: '', after: 'A <% tp.x %>' });
  });

  it('a property that may load is proposed, and another one is set', async () => {
    const files = { 'A.md': '---\nstatus: open\n---\nText.\n' };
    const one = await apply(files, 'update_properties', { path: 'A.md', set: { status: 'done' } });
    expect(one.bench.notes.text('A.md')).toBe('---\nstatus: done\n---\nText.\n');
    const set = { cover: 'https://evil.example/x.png' };
    const { bench, told } = await apply(files, 'update_properties', { path: 'A.md', set });
    expect(told).toContain('Proposed to change');
    expect(texts(bench, 'A.md').before).toBe(files['A.md']);
    expect(texts(bench, 'A.md').after).toContain('cover: https://evil.example/x.png');
  });

  it('removing the fence around a script waits, and a change beside it is made', async () => {
    const shown = `\`\`\`\`md\n${SCRIPT}\n\`\`\`\`\n\nWords.\n`;
    const made = await apply({ 'A.md': shown }, 'edit_file', {
      path: 'A.md',
      edits: [{ old_text: 'Words.', new_text: 'More words.' }],
    });
    expect(made.bench.notes.text('A.md')).toBe(shown.replace('Words', 'More words'));
    const { bench } = await apply({ 'A.md': shown }, 'write_file', {
      path: 'A.md',
      content: `${SCRIPT}\n\nWords.\n`,
    });
    expect(texts(bench, 'A.md')).toEqual({ before: shown, after: `${SCRIPT}\n\nWords.\n` });
  });

  it('words, links, tables, tasks and code are written at once', async () => {
    const content =
      '## Plan\n\n- [ ] Buy **milk** [[Shop]] #food\n\n| a | b |\n| - | - |\n| 1 | `x` |\n\n```js\nlet a = "<b>";\n```';
    const { bench } = await apply({ 'A.md': 'One.\n' }, 'edit_file', {
      path: 'A.md',
      edits: [{ position: 'end', content }],
    });
    expect(bench.notes.text('A.md')).toBe(`One.\n\n${content}\n`);
  });
});

describe('in Review', () => {
  it('a property that may load is proposed, although others are set at once', async () => {
    const bench = memoryBench({ 'A.md': 'Text.\n' }, { settings: { panelMode: 'review' } });
    const set = { banner: 'https://evil.example/x.png' };
    await bench.expectSuccess('update_properties', { path: 'A.md', set });
    expect(texts(bench, 'A.md').before).toBe('Text.\n');
    const other = memoryBench({ 'A.md': 'Text.\n' }, { settings: { panelMode: 'review' } });
    await other.expectSuccess('update_properties', { path: 'A.md', set: { status: 'done' } });
    expect(other.notes.text('A.md')).toBe('---\nstatus: done\n---\nText.\n');
  });
});

describe('beside an edit that waits', () => {
  const LINES = Array.from({ length: 12 }, (_, at) => `Line ${at}.`).join('\n\n') + '\n';
  const IMAGE = '<img src=https://evil.example/p.png>';
  const below = (line: string, text: string) => LINES.replace(line, `${line}\n\n${text}`);

  it('what only waits does not count as there when it is moved', async () => {
    const { bench } = await apply({ 'A.md': LINES }, 'write_file', {
      path: 'A.md',
      content: below('Line 3.', IMAGE),
    });
    await bench.call('read_file', { path: 'A.md' });
    await bench.call('write_file', { path: 'A.md', content: below('Line 9.', IMAGE) });
    expect(texts(bench, 'A.md').before).toBe(LINES);
  });

  it('a fence that only waits does not count as one around a script', async () => {
    const { bench } = await apply({ 'A.md': LINES }, 'edit_file', {
      path: 'A.md',
      edits: [
        { position: 'start', content: '<img src=x>\n\n````text' },
        { position: 'end', content: '````' },
      ],
    });
    await bench.call('read_file', { path: 'A.md' });
    const edits = [{ old_text: 'Line 5.', new_text: `Line 5.\n\n${SCRIPT}` }];
    await bench.call('edit_file', { path: 'A.md', edits });
    expect(texts(bench, 'A.md').before).not.toContain('dataviewjs');
  });
});
