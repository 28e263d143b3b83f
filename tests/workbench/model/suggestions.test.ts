/** Every suggestion of an empty chat, asked of the demo model with the real tools. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { examplesFor } from '#components/chat/examples.ts';
import { memoryBench, type MemoryBench } from '#tests/builders/tools';
import type { NoteFiles } from '#tests/builders/fake-vault';
import { DEMO_WORDS, demoReply } from '#workbench/model/demo';
import type { WireBlock, WireMessage } from '#workbench/model/wire';

const folder = path.resolve('tests/workbench/vault');
const SAMPLE: NoteFiles = Object.fromEntries(
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => [path.relative(folder, file).replaceAll('\\', '/'), readFileSync(file, 'utf8')]),
);
/** Neither a list nor a word of English, and a note whose name is a sentence. */
const OWN: NoteFiles = {
  'Tagebuch/2026-11-20.md': '# Freitag\n\nDie Quitten sind reif. Morgen wird eingekocht.\n',
  'Was ist Zeit?.md': '---\ntags: [idee]\n---\nZeit ist, was die Uhr misst. Das genügt.\n',
};
const WITH_TASKS: NoteFiles = { 'Tasks 2026.md': '- [ ] Call Ana\n', 'Log.md': 'Rain all day.\n' };

/** A turn of the demo model with the bench's tools. */
async function ask(
  bench: MemoryBench,
  said: string,
  activeNote: string | null,
  day = '1 January 1970',
) {
  const active = activeNote === null ? '' : `Active note: ${activeNote}\n`;
  const context = `<context>\nNow: Thursday ${day} at 12:00 UTC\n${active}</context>`;
  const messages: WireMessage[] = [{ role: 'user', content: `${context}\n\n${said}` }];
  const tools = [...bench.registry.names(), 'done'].map((name) => ({ name }));
  for (let step = 0; step < 12; step += 1) {
    const reply = demoReply({ model: 'm', max_tokens: 1, tools, messages: [...messages] });
    const content = reply.blocks.map((block, at): WireBlock =>
      block.type === 'tool_use' ? { ...block, id: `${step}.${at}` } : { ...block },
    );
    messages.push({ role: 'assistant', content });
    const uses = content.filter(({ type }) => type === 'tool_use');
    const last = uses.find(({ name }) => name === 'done');
    if (last) return last.input as { summary: string; outcome: string };
    if (uses.length === 0) return { summary: String(content[0]?.['text']), outcome: 'done' };
    const results: WireBlock[] = [];
    for (const { id, name, input } of uses) {
      const isKnown = name !== 'plan';
      const result = isKnown ? await bench.call(String(name), input as object) : null;
      results.push({
        type: 'tool_result',
        tool_use_id: id,
        content: result?.text ?? 'Noted.',
        is_error: result?.failed ?? false,
      });
    }
    messages.push({ role: 'user', content: results });
  }
  throw new Error(`"${said}" was not answered.`);
}

async function suggested(files: NoteFiles, open: string | null) {
  const bench = memoryBench(files);
  const answers = [];
  for (const said of examplesFor({ files: Object.keys(files) }, open)) {
    answers.push([said, await ask(bench, said, open)] as const);
  }
  return answers;
}

describe('the suggestions of an empty chat', () => {
  it.each([
    ['the sample vault', SAMPLE, 'Welcome.md'],
    ['the sample vault without an open note', SAMPLE, null],
    ['an empty vault', {}, null],
    ['a vault in German', OWN, 'Was ist Zeit?.md'],
    ['a vault in German without an open note', OWN, null],
    ['a vault with a task list', WITH_TASKS, 'Log.md'],
  ])('the demo model does what is suggested in %s', async (_, files, open) => {
    const texts = Object.values(files).join('\n');
    const answers = await suggested(files, open);
    expect(answers).toHaveLength(3);
    for (const [said, { summary, outcome }] of answers) {
      expect({ said, outcome }).toEqual({ said, outcome: 'done' });
      if (!/can you do/.test(said)) expect(summary).not.toBe(DEMO_WORDS);
      for (const [, quote = ''] of summary.matchAll(/“(.+)”/g)) {
        expect(texts).toContain(quote.replace(/\.$/, ''));
      }
    }
  });

  it('the demo model answers a question from the open note and names it', async () => {
    const bench = memoryBench(SAMPLE);
    const open = 'Notes/Tomatoes.md';
    const answer = await ask(bench, 'When were the tomatoes sown?', open);
    expect(answer.summary).toMatch(/^\[\[Tomatoes\]\] says:/);
    const linked = await ask(bench, 'When were [[Tomatoes]] sown?', null);
    expect(linked.summary).toContain('Sow');
    const none = await ask(bench, 'Who flies a zeppelin?', open);
    expect(none).toMatchObject({ outcome: 'not_done' });
    expect(none.summary).toContain('[[Tomatoes]] says nothing');
  });

  it('the demo model says so when no note was changed lately', async () => {
    const answer = await ask(memoryBench(OWN), 'What did I write today?', null, '1 May 2031');
    expect(answer.summary).toMatch(/^No note was changed today\. The newest/);
    expect(answer.summary).toContain('[[2026-11-20]]: “Die Quitten sind reif.”');
  });
});
