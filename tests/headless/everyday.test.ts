/**
 * Everyday requests to a model that is as careless as a real one; the tests compare the notes on
 * disk.
 */
import { expect, test } from 'vitest';
import { call, reply } from '#workbench/model/replies';
import { scripted, type ScriptStep } from '#workbench/model/scripted';
import { openStage, readFileIn, writeFileIn } from './driver';

const SHOPPING = 'Lists/Shopping.md';
const LIST = '# Shopping\n\n- bread\n- milk\n- eggs\n';
const LONG = Array.from({ length: 500 }, (_, at) => `Line ${at + 1}`).join('\n');

interface Scenario {
  readonly files: Record<string, string>;
  /** Takes the vault, so that a step can change a note from outside before it answers. */
  readonly model: (vault: () => string) => readonly ScriptStep[];
  readonly after: Record<string, string>;
}

const edit = (path: string, ...edits: object[]) => call('edit_file', { path, edits });
const at = (position: string, content?: string) => ({ position, ...(content ? { content } : {}) });
const done = reply(call('done', { summary: 'Done.', outcome: 'done' }));

const SCENARIOS: Record<string, Scenario> = {
  'a line is edited after a property was set above it': {
    files: { [SHOPPING]: LIST },
    model: () => [
      reply(call('read_file', { path: SHOPPING })),
      reply(call('update_properties', { path: SHOPPING, set: { status: 'open' } })),
      reply(edit(SHOPPING, at('replace:5', '- free-range eggs'))),
      reply(call('add_tags', { path: SHOPPING, tags: ['food'] })),
      done,
    ],
    after: {
      [SHOPPING]: `---\nstatus: open\ntags:\n  - food\n---\n${LIST.replace('eggs', 'free-range eggs')}`,
    },
  },
  'two edits in one step both mean the lines that were read': {
    files: { [SHOPPING]: LIST },
    model: () => [
      reply(call('read_file', { path: SHOPPING })),
      reply(
        edit(SHOPPING, at('insert:3', '- tea\n- jam')),
        edit(SHOPPING, at('replace:5', '- free-range eggs')),
      ),
      done,
    ],
    after: { [SHOPPING]: '# Shopping\n\n- tea\n- jam\n- bread\n- milk\n- free-range eggs\n' },
  },
  'the numbers of a search count after a note changed from outside': {
    files: { [SHOPPING]: LIST },
    model: (vault) => [
      reply(call('read_file', { path: SHOPPING })),
      () => {
        writeFileIn(vault(), SHOPPING, LIST.replace('- bread', '- tea\n- bread'));
        return reply(call('search_files', { pattern: 'Eggs' }));
      },
      reply(edit(SHOPPING, at('delete:6'))),
      done,
    ],
    after: { [SHOPPING]: '# Shopping\n\n- tea\n- bread\n- milk\n' },
  },
  'a wish under a heading is added without reading, in the style of its list': {
    files: { 'Plan.md': '# Plan\n\n## Tasks\n\n* [ ] water\n* [x] sow\n\n## Notes\n\nRain.\n' },
    model: () => [reply(edit('plan', at('end-of:## tasks', '- weed'))), done],
    after: {
      'Plan.md': '# Plan\n\n## Tasks\n\n* [ ] water\n* [x] sow\n* [ ] weed\n\n## Notes\n\nRain.\n',
    },
  },
  'a task that a query listed is ticked by its number': {
    files: { 'Garden/Plan.md': '# Plan\n\n- [ ] water\n- [ ] buy soil\n' },
    model: () => [
      reply(call('query_notes', { folder: 'garden', tasks: 'open' })),
      reply(edit('Garden/Plan.md', at('replace:4', '- [x] buy soil'))),
      done,
    ],
    after: { 'Garden/Plan.md': '# Plan\n\n- [ ] water\n- [x] buy soil\n' },
  },
  'a row goes to the end of a table': {
    files: { 'Beds.md': '## Beds\n| bed | crop |\n| --- | --- |\n| 1 | peas |\n\n## Later\n' },
    model: () => [reply(edit('Beds.md', at('end-of:Beds', '| 2 | beans |'))), done],
    after: {
      'Beds.md':
        '## Beds\n| bed | crop |\n| --- | --- |\n| 1 | peas |\n| 2 | beans |\n\n## Later\n',
    },
  },
  'a name in the wrong case finds its note': {
    files: { [SHOPPING]: LIST },
    model: () => [reply(edit('lists/shopping', at('end', '- soap'))), done],
    after: { [SHOPPING]: `${LIST}- soap\n` },
  },
  'a long note is not overwritten after three of its lines were read': {
    files: { 'Long.md': LONG },
    model: () => [
      reply(call('read_file', { path: 'Long.md', start_line: 1, end_line: 3 })),
      reply(call('write_file', { path: 'Long.md', content: 'Line one\nLine two\nLine three' })),
      reply(edit('Long.md', at('replace:2', 'Line two'))),
      done,
    ],
    after: { 'Long.md': LONG.replace('Line 2\n', 'Line two\n') },
  },
  'a link whose place is not clear is not put anywhere else': {
    files: { 'Home.md': 'The beds and the beds.\n', 'Garden.md': '# Garden\n' },
    model: () => [
      reply(call('link_notes', { source: 'Home', target: 'Garden', context: 'beds' })),
      reply(call('link_notes', { source: 'Home', target: 'Garden', context: 'bedz' })),
      done,
    ],
    after: { 'Home.md': 'The beds and the beds.\n', 'Garden.md': '# Garden\n' },
  },
  'a note is read and written again in one step, and keeps what was not seen': {
    files: { [SHOPPING]: LIST },
    model: () => [
      reply(
        call('read_file', { path: SHOPPING }),
        call('write_file', { path: SHOPPING, content: '- soap\n' }),
      ),
      reply(call('write_file', { path: SHOPPING, content: `${LIST}- soap\n` })),
      done,
    ],
    after: { [SHOPPING]: `${LIST}- soap\n` },
  },
};

test.each(Object.entries(SCENARIOS))('%s', async (_, { files, model, after }) => {
  let vault = '';
  await using stage = await openStage(scripted(model(() => vault)), files);
  vault = stage.vault;
  const headless = await stage.start();
  await headless.send('send', { text: 'Please.' });
  await headless.event('turn-end');
  const notes = Object.keys(after).map((name) => [name, readFileIn(stage.vault, name)]);
  expect(Object.fromEntries(notes)).toEqual(after);
  await headless.settled();
});
