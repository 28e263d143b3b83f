import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../cases';
import { cutProposal } from '#model/proposal/cut-hunks';
import { decideHunks } from '#model/proposal/decide-hunks';
import { holdsProposal, parseNote, printNote } from '#model/proposal/proposal-format';
import { rewriteLinks, sidesOf } from '#model/proposal/before-and-after';
import { blocksOf, options, pair } from './notes';

const BLOCK =
  '```ai-edit\n{"id":"abc123","type":"replace","before":"old\\n","after":"new\\n"}\n```\n#ai_edit\n';

function pending(before: string, after: string): string {
  return printNote(cutProposal(before, after, options()));
}

describe('The ai-edit block', () => {
  it('parseNote reads a block of three lines and a tag, as documented', () => {
    expect(blocksOf(parseNote(`above\n${BLOCK}below\n`))).toEqual([
      {
        id: 'abc123',
        type: 'replace',
        before: 'old\n',
        after: 'new\n',
        tag: 'ai_edit',
        gap: false,
        where: null,
      },
    ]);
    expect(sidesOf(parseNote(`above\n${BLOCK}below\n`))).toEqual({
      before: 'above\nold\nbelow\n',
      after: 'above\nnew\nbelow\n',
    });
  });

  it.each([
    ['indented', BLOCK.replace(/^(?=.)/gm, '    ')],
    ['quoted', BLOCK.replace(/^(?=.)/gm, '> ')],
    ['spread over lines', BLOCK.replace('{', '{\n')],
    ['with a short id', BLOCK.replace('abc123', 'abc')],
    ['that proposes nothing', BLOCK.replace('old\\n', '').replace('new\\n', '')],
    ['that adds and has a before', BLOCK.replace('replace', 'add')],
    ['with a tag of two words', BLOCK.replace('"id"', '"tag":"a b","id"')],
    ['of another language', BLOCK.replace('ai-edit', 'ai-edits')],
    ['whose fence is longer', BLOCK.replaceAll('```', '````')],
    ['whose JSON is cut', BLOCK.replace('"}', '"')],
    [
      'whose JSON is nested too deeply',
      BLOCK.replace('"}', `","more":${'['.repeat(10_000)}${']'.repeat(10_000)}}`),
    ],
  ])('parseNote treats an invalid or quoted block as text: %s', (_, text) => {
    expect(holdsProposal(text)).toBe(false);
    expect(sidesOf(parseNote(text))).toEqual({ before: text, after: text });
  });

  it('cutProposal keeps a quoted block as text when the text around it changes', () => {
    const before = `How it looks:\n\n${BLOCK.replace(/^(?=.)/gm, '    ')}\nMore.\n`;
    const after = before.replace('More', 'No more').replace('abc123', 'abc124');
    expect(sidesOf(parseNote(pending(before, after)))).toEqual({ before, after });
  });

  it('decideHunks removes only the tag of the block, and none of another name', () => {
    const text = BLOCK.replace('#ai_edit', '#todo');
    const { segments } = decideHunks(parseNote(text), () => 'accept');
    expect(printNote(segments)).toBe('new\n#todo\n');
    expect(
      printNote(decideHunks(parseNote(BLOCK.replace('#ai_edit\n', '')), () => 'accept').segments),
    ).toBe('new\n');
  });

  it('cutProposal adds a blank line below the tag before text that would join it, and decideHunks removes it', () => {
    const text = pending('one\n\ntwo\n', 'one\n\nnew\n\ntwo\n');
    expect(text).toContain('#ai_edit\n\ntwo\n');
    expect(printNote(decideHunks(parseNote(text), () => 'reject').segments)).toBe('one\n\ntwo\n');
  });

  it('sidesOf separates text that was typed below a block at the end of the note', () => {
    const typed = `${pending('a\nend', 'a\nthe end')}typed\n`;
    expect(sidesOf(parseNote(typed))).toEqual({
      before: 'a\nend\ntyped\n',
      after: 'a\nthe end\ntyped\n',
    });
  });

  it('printNote escapes line separators and byte order marks', () => {
    const text = pending('a\n', '\uFEFFa\u2028b\u2029c\n');
    expect(text).not.toMatch(/[\u2028\u2029\uFEFF]/);
    expect(sidesOf(parseNote(text)).after).toBe('\uFEFFa\u2028b\u2029c\n');
  });
});

describe('A proposal for front matter', () => {
  const before = '---\ntags: [a]\nstatus: open\n---\nText.\n';
  const after = '---\ntags: [a, b]\nstatus: open\n---\nText.\n';

  it('cutProposal leaves the current front matter live at the top of the note', () => {
    const text = pending(before, after);
    expect(text.startsWith('---\ntags: [a]\nstatus: open\n---\n```ai-edit\n')).toBe(true);
    expect(text).toContain('"where":"frontmatter"');
  });

  it('a change of the live front matter applies to both sides', () => {
    const text = pending(before, after).replace('status: open\n---\n', 'status: done\n---\n');
    const segments = parseNote(text);
    expect(printNote(segments)).toBe(text);
    expect(sidesOf(segments)).toEqual({
      before: before.replace('open', 'done'),
      after: after.replace('open', 'done'),
    });
    expect(printNote(decideHunks(segments, () => 'accept').segments)).toBe(
      after.replace('open', 'done'),
    );
    expect(printNote(decideHunks(segments, () => 'reject').segments)).toBe(
      before.replace('open', 'done'),
    );
  });

  it('a block whose property has changed in the live front matter can be rejected or amended, but not accepted', () => {
    const text = pending(before, before.replace('[a]', '[z]')).replace(
      'tags: [a]\n',
      'tags: [c]\n',
    );
    const segments = parseNote(text);
    const accepted = decideHunks(segments, () => 'accept');
    expect(accepted.done).toEqual([]);
    expect(accepted.refused).toHaveLength(1);
    expect(printNote(accepted.segments)).toBe(text);
    const amend = '---\ntags: [c, b]\n---';
    expect(printNote(decideHunks(segments, () => ({ amend })).segments)).toBe(
      '---\ntags: [c, b]\n---\nText.\n',
    );
    expect(printNote(decideHunks(segments, () => 'reject').segments)).toBe(
      before.replace('[a]', '[c]'),
    );
  });

  it('rejecting a block after the user removed the front matter leaves the rest of the note', () => {
    const text = pending(before, after).replace(/^---[\s\S]*?---\n/, '');
    expect(sidesOf(parseNote(text))).toEqual({ before: 'Text.\n', after: 'Text.\n' });
    expect(printNote(decideHunks(parseNote(text), () => 'reject').segments)).toBe('Text.\n');
  });

  it('sidesOf puts front matter at the top when text was typed above its block', () => {
    const text = pending(before, after).replace('```ai-edit', 'typed\n```ai-edit');
    expect(sidesOf(parseNote(text))).toEqual({
      before: before.replace('Text', 'typed\nText'),
      after: after.replace('Text', 'typed\nText'),
    });
  });
});

describe('Amending a hunk', () => {
  it('decideHunks replaces the block with whole lines of the amended text', () => {
    const text = pending('a\r\nb\r\nc\r\n', 'a\r\nB\r\nc\r\n');
    const decided = decideHunks(parseNote(text), () => ({ amend: 'x\ny' }));
    expect(printNote(decided.segments)).toBe('a\r\nx\r\ny\r\nc\r\n');
    expect(decided.done).toHaveLength(1);
  });

  it('amending a hunk with its proposed text is the same as accepting it', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const segments = parseNote(pending(before, after));
        const amended = decideHunks(segments, (block) => ({ amend: block.after }));
        expect(printNote(amended.segments).replace(/\r?\n/g, '\n')).toBe(
          after.replace(/\r?\n/g, '\n'),
        );
      }),
      cases,
    );
  });

  it('decideHunks refuses an amended text that would be parsed as a proposal', () => {
    const segments = parseNote(pending('a\n', 'b\n'));
    const decided = decideHunks(segments, () => ({ amend: BLOCK }));
    expect(decided.refused).toHaveLength(1);
    expect(decided.segments).toEqual(segments);
  });

  it('decideHunks adds the blank line that a block needs once the block below it is decided', () => {
    const twice = BLOCK + BLOCK.replace('abc123', 'abc124');
    const { segments } = decideHunks(parseNote(twice), ({ id }) =>
      id === 'abc124' ? 'accept' : 'keep',
    );
    expect(printNote(segments)).toContain('"gap":true}\n```\n#ai_edit\n\nnew\n');
    expect(sidesOf(parseNote(printNote(segments))).before).toBe('old\nnew\n');
  });
});

describe('rewriteLinks', () => {
  const rename = (text: string) => text.replaceAll('[[Old]]', '[[New]]');

  it('rewriteLinks changes links on both sides of a block, but not in common text', () => {
    const before = 'See [[Old]].\n\n[[Old]] one\n';
    const text = pending(before, before.replace('one', 'two'));
    const renamed = rewriteLinks(parseNote(text), rename);
    expect(sidesOf(renamed)).toEqual({
      before: 'See [[Old]].\n\n[[New]] one\n',
      after: 'See [[Old]].\n\n[[New]] two\n',
    });
    expect(parseNote(printNote(renamed))).toEqual(renamed);
  });

  it('rewriteLinks keeps every byte of a note without links', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const text = pending(before, after);
        expect(printNote(rewriteLinks(parseNote(text), rename))).toBe(text);
      }),
      cases,
    );
  });
});
