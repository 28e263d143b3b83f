import { screen as page } from '@testing-library/svelte';
import { describe, expect, test } from 'vitest';
import type { Settings } from '#model/settings';
import type { ModelInfo } from '#ports/model-provider';
import type { MenuEntry } from '#ports/ui';
import { BUILT_IN_MODELS } from '#providers/anthropic/anthropic-models';
import { Script } from '#workbench/gallery/script';
import { openChat } from '../chat';

/** The model menu as lines: headings in brackets, separators as dashes, and chosen items ticked. */
async function menu(models: readonly ModelInfo[], settings: Partial<Settings> = {}) {
  const script = new Script('a').ask('Hello').step().say('Yes.').done('Yes.');
  const { agent, ui, user, asked } = await openChat([script], { settings });
  agent.settings.models = async () => models;
  agent.usage.price = (id) =>
    id.includes('haiku')
      ? { input: 0.1, output: 0.5, cacheRead: 0, cacheWrite: 0 }
      : { input: 4, output: 20, cacheRead: 0, cacheWrite: 0 };
  await user.click(page.getByRole('button', { name: /^Model:/ }));
  const lines = () => {
    const [, items] = ui.asked.findLast(([verb]) => verb === 'menu') as [string, MenuEntry[]];
    return items.map((item) => {
      if (item === null) return '---';
      if (typeof item === 'string') return `[${item}]`;
      return item.checked ? `✓ ${item.title}` : item.title;
    });
  };
  await expect.poll(() => ui.asked.some(([verb]) => verb === 'menu')).toBe(true);
  return { agent, asked, lines, ui };
}

const named = (id: string): ModelInfo =>
  BUILT_IN_MODELS.find((model) => model.id.startsWith(id)) as ModelInfo;

describe('the model menu', () => {
  test('the model menu lists the newest model of each family first, with prices', async () => {
    const models = ['claude-opus-5-5', 'claude-opus-5', 'claude-haiku-5-5', 'claude-haiku-4-5'];
    const { lines } = await menu(models.map(named), { model: 'claude-haiku-5-5' });
    expect(lines()).toEqual([
      '[Recommended, price per million tokens]',
      '✓ Haiku 5.5 · $0.10 in, $0.50 out',
      'Opus 5.5 · $4 in, $20 out',
      'All models…',
      '---',
      '[Thinking]',
      '✓ Automatic',
      'Low: faster and cheaper',
      'Medium',
      'High: best for complex tasks',
      'Off',
      '---',
      'Model settings…',
    ]);
  });

  test('the model menu ticks a dated model under its undated id', async () => {
    const listed = { ...named('claude-haiku-4-5'), id: 'claude-haiku-4-5' };
    const { lines, ui } = await menu([listed, named('claude-haiku-5-5')], {
      model: 'claude-haiku-4-5-20251001',
    });
    expect(lines()[0]).toBe('✓ Haiku 4.5 · $0.10 in, $0.50 out');
    ui.chooseFromMenu('All models…');
    expect(lines().filter((line) => line.startsWith('✓'))).toEqual([
      '✓ Haiku 4.5 · $0.10 in, $0.50 out',
    ]);
  });

  test('the model menu sets the model and its thinking', async () => {
    const { asked, ui } = await menu([named('claude-opus-5-5')], { model: 'claude-opus-5-5' });
    ui.chooseFromMenu('High: best for complex tasks');
    ui.chooseFromMenu('Opus 5.5 · $4 in, $20 out');
    expect(asked('set')).toEqual([{ thinking: 'high' }, { model: 'claude-opus-5-5' }]);
    ui.chooseFromMenu('Model settings…');
    expect(ui.asked).toContainEqual(['openSettings', 'model']);
    expect(() => ui.chooseFromMenu('Off')).toThrow();
  });

  test('the model menu lists the models of another server without recommending any', async () => {
    const local = { ...named('claude-opus-5-5'), id: 'qwen:32b', name: 'qwen:32b' };
    const { lines } = await menu([local], { model: 'qwen:32b', compatibility: true });
    expect(lines()).toEqual(['✓ qwen:32b · $4 in, $20 out', '---', 'Model settings…']);
  });
});
