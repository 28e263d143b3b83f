/** Compares metadata read from a note's text with the host's index of the same text. */
import { expect, test } from 'vitest';
import type { NoteLink } from '#ports/metadata';
import { factsWithTexts } from '#policy/text-metadata';
import { memoryMetadata } from '../builders/fake-metadata';
import { MemoryNotes } from '../builders/fake-vault';

const NOTES: Readonly<Record<string, string>> = {
  'Plain.md': 'Text.\n',
  'Links.md':
    '[[Plain]] [[plain|words]] [md](Plain.md) ![[Plain]] [[Nowhere#Part]] [web](https://a.b)\n',
  'Twice.md': '[[Nowhere]] and [[Nowhere|again]] and [[Folder/Deep]]\n',
  'Folder/Deep.md': '# One\n\n## Two ##\n\n> [!note] Quote\n> #quoted [[Plain]]\n',
  'Properties.md':
    '---\ntags: [one, two/three]\nup: "[[Plain]]"\nrelated:\n  - "[[Deep]]"\nstatus: open\n---\n#body text\n',
  'One tag.md': '---\ntags: alone, other\n---\n',
  'Code.md': '```\n[[Plain]] #no\n- [ ] no\n```\n`[[Plain]] #no` #yes\n',
  'Tasks.md': '- [ ] open\n  - [x] nested\n1. [/] half\n',
  'No tasks.md': '- item\n- [link](Plain.md)\n',
  'Windows.md': '---\r\ntags:\r\n  - crlf\r\n---\r\n[[Plain]]\r\n- [ ] task\r\n',
  'constructor.md': '[[constructor]] [[__proto__]]\n',
};

const sorted = (links: readonly NoteLink[] = []) =>
  [...links].sort((a, b) => (a.name < b.name ? -1 : 1));

test('the pipe in a link is escaped in a table', () => {
  const host = memoryMetadata(new MemoryNotes(NOTES));
  const text = '| a | b |\n| --- | --- |\n| [[Plain\\|p]] | #cell |\n';
  const own = factsWithTexts(host, new Map([['Table.md', text]]));
  expect(own.of('Table.md')?.links).toEqual([{ name: 'Plain', to: 'Plain.md' }]);
});

test.each(Object.keys(NOTES))('the metadata of %s equals the index', (path) => {
  const notes = new MemoryNotes(NOTES);
  const host = memoryMetadata(notes);
  const own = factsWithTexts(host, new Map([[path, NOTES[path] ?? '']]));
  const known = host.of(path);
  expect(own.of(path)?.headings).toEqual(known?.headings);
  expect(own.of(path)?.properties).toEqual(known?.properties);
  expect([...own.tagsOf(path)].sort()).toEqual([...host.tagsOf(path)].sort());
  expect(sorted(own.of(path)?.links)).toEqual(sorted(known?.links));
  expect([...own.taskMarks(path)].sort()).toEqual([...host.taskMarks(path)].sort());
  expect(own.linksFrom(path)).toEqual(host.linksFrom(path));
  expect(own.brokenLinksFrom(path)).toEqual(host.brokenLinksFrom(path));
});
