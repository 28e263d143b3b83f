/** The user never reads the text that was written for the model. */
import { describe, expect, it } from 'vitest';
import { resultText } from '#messages/result-text';
import { ALL_TOOLS } from '#tools/all-tools';
import { fieldsOf } from '#tools/json-schema';
import type { Tool } from '#tools/tool';
import { runToolCase } from '#tests/builders/run-tool-case';
import { TOOL_CASES } from '#tests/builders/tool-cases';

const MODEL_WORDS = [
  ...ALL_TOOLS.map(({ name }) => name),
  ...ALL_TOOLS.flatMap((tool) => Object.keys(fieldsOf((tool as unknown as Tool).input))),
].filter((word) => word.includes('_'));

describe('The user text of a result', () => {
  it('the test cases cover every tool', () => {
    const covered = new Set(TOOL_CASES.map(({ tool }) => tool));
    const names = ALL_TOOLS.map(({ name }) => name);
    expect(names.filter((name) => !covered.has(name))).toEqual([]);
  });

  it.each(
    TOOL_CASES.map(
      (toolCase) => [`${toolCase.tool} ${JSON.stringify(toolCase.input)}`, toolCase] as const,
    ),
  )(
    'the user text of %s names no tool or parameter, and differs from the text for the model',
    async (_title, toolCase) => {
      const result = await runToolCase(toolCase);
      const text = resultText(result);
      expect(text.trim()).not.toBe('');
      expect(text).not.toBe(result.text);
      expect(MODEL_WORDS.filter((word) => text.includes(word))).toEqual([]);
      if (result.failed) expect(text).not.toMatch(/^Done/);
    },
  );

  it.each([
    ['write_file', { path: 'Lists/Same.md', content: 'Same.' }],
    ['add_tags', { path: 'Notes/Tomatoes.md', tags: ['garden'] }],
    ['update_properties', { path: 'Notes/Tomatoes.md', remove: ['nothing'] }],
    ['link_notes', { source: 'Notes/Tomatoes.md', target: 'Compost' }],
    ['create_folder', { path: 'Lists' }],
  ])('the user text of %s says if there was nothing to change', async (tool, input) => {
    const before = [['write_file', { path: 'Lists/Same.md', content: 'Same.' }]] as const;
    const result = await runToolCase({ tool, input, before });
    expect(resultText(result)).toBe('Nothing to change.');
    expect(result.failed).toBe(false);
  });
});
