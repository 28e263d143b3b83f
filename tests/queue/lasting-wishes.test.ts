/** Lasting wishes by voice: offered by the agent, and kept by "remember it". */
import { expect, it } from 'vitest';
import { heard, stage } from './command-stage';

it('"yes, remember it" saves the wish that was just spoken, once', async () => {
  const { say, rig } = await stage();
  await say('From now on, write my lists in alphabetical order');
  expect(heard(await say('Yes, remember it'))).toEqual([
    'Saved to your instructions: Write my lists in alphabetical order.',
  ]);
  await say('Remember that');
  expect(rig.agent.settings.current().instructions).toBe('Write my lists in alphabetical order');
});

it('the agent learns that it can offer to keep a spoken wish', async () => {
  const { say, model } = await stage();
  await say('Never use emojis in my notes');
  await say('Add milk');
  const contexts = model.requests.map(({ history }) => JSON.stringify(history[0]));
  expect(contexts[0]).toContain('Say “remember it” to keep that');
});

it('without a wish or after ten minutes, "remember that" is for the agent', async () => {
  const { say, rig, disk } = await stage();
  expect(heard(await say('Remember that'))).toEqual(['Heard: Remember that.']);
  await say('From now on, be brief');
  await disk.clock.advance(10 * 60_000);
  expect(heard(await say('Remember that'))).toEqual(['Heard: Remember that.']);
  expect(rig.agent.settings.current().instructions).toBe('');
});

it('without voice decisions, "remember it" says where to save the wish', async () => {
  const { say, rig } = await stage({ isPaired: false });
  await say('From now on, be brief');
  expect(heard(await say('Remember it'))[0]).toContain('Open the chat in Obsidian');
  expect(rig.agent.settings.current().instructions).toBe('');
});
