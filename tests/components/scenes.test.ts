import { render } from '@testing-library/svelte';
import axe from 'axe-core';
import { tick } from 'svelte';
import { expect, test } from 'vitest';
import EditWidget from '#components/review/EditWidget.svelte';
import { Panel } from '#stores/panel';
import { pageUi } from '#workbench/gallery/page-ui';
import type { Scene } from '#workbench/gallery/scene';
import { SCENES } from '#workbench/gallery/scenes';
import { scriptedAgent } from '#workbench/gallery/scripted-agent';
import { openChat } from './chat';

test.each(Object.keys(SCENES))('the scene "%s" can be used without seeing it', async (name) => {
  const scene = SCENES[name]?.();
  const { scripts = [], ...options } = scene ?? {};
  if (scene?.widgets) await openWidgets(scene);
  else await openChat(scripts, options);
  // Colours and sizes need a real page.
  const rules = { 'color-contrast': { enabled: false }, region: { enabled: false } };
  const { violations } = await axe.run(document.body, { rules });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
});

async function openWidgets({ scripts, reviewed = {}, widgets = [] }: Scene): Promise<void> {
  const panel = new Panel(scriptedAgent(scripts, { reviewed }), pageUi());
  for (const props of widgets) render(EditWidget, { panel, ...props });
  await tick();
}
