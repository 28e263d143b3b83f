/** Quick edits as requests: their conversation, their context, and the place of the edit. */
import { ANY_DEVICE } from '#model/edit/note-edits';
import { describe, expect, it } from 'vitest';
import type { EditTarget } from '#model/attachment';
import { quickEditPlace } from '#model/quick-edit-range';
import type { Settings } from '#model/settings';
import { memoryMetadata } from '../builders/fake-metadata';
import { MemoryNotes } from '../builders/fake-vault';
import { answers, call, says, thinkingModel } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { testClock } from '../builders/fake-clock';
import { tinyVault } from '../edits/vault';
import { eventsOn, makeRig, type Disk } from './app-on-disk';

const PLAN = 'Plan.md';
const LINES = ['# Plan', '', 'One.', 'Two.', '', '- item', '- item', '', 'End.'];
const TEXT = `${LINES.join('\n')}\n`;

function targetAt(words: string, text = TEXT, path = PLAN): EditTarget {
  const from = text.indexOf(words);
  const place = quickEditPlace(path, text, { from, to: from + words.length }, ANY_DEVICE);
  if (typeof place === 'string') throw new Error(place);
  return place.target;
}

async function begin(settings: Partial<Settings> = {}, text = TEXT) {
  const files = { [PLAN]: text, 'Other/Plan.md': 'Other.\n', 'Secret.md': 'Hidden. #private\n' };
  let held = Promise.resolve();
  const disk: Disk = {
    ...{ store: memoryStore(), vault: tinyVault(files, ['Other']), clock: testClock() },
    metadata: memoryMetadata(new MemoryNotes(files)),
    model: thinkingModel(async ({ history }) => {
      await held;
      if (history.at(-1)?.role === 'results') return says('Done.');
      const told = JSON.stringify(history.at(-1));
      const position = /position \\"([^"\\]+)\\"/.exec(told)?.[1] ?? 'none';
      const path = /(?:of|at the end of) (\S+?\.md)/.exec(told)?.[1] ?? PLAN;
      const edits = [{ position, content: 'New.' }];
      return answers([call('edit_file', { path, edits }, { wireId: `w${history.length}` })]);
    }),
    settings,
  };
  const rig = makeRig(disk);
  await rig.load();
  const send = async (target: EditTarget, words = 'Change it.') => {
    const sent = await rig.agent.quickEdits.send({ text: words, target });
    await rig.idle();
    return sent;
  };
  const plan = () => disk.vault.texts.get(PLAN);
  return {
    disk,
    rig,
    send,
    plan,
    /** The model answers nothing until the returned function is called. */
    hold: () => {
      let release = () => {};
      held = new Promise((resolve) => (release = resolve));
      return release;
    },
    contexts: () => eventsOn(disk, 'turn-start').map((e) => e.context),
  };
}

describe('quick edits of several notes', () => {
  it('they run at once, each in its note, and those of one note one after the other', async () => {
    const { rig, disk, plan, hold } = await begin();
    const release = hold();
    const other = targetAt('Other.', 'Other.\n', 'Other/Plan.md');
    for (const target of [targetAt('One.'), targetAt('End.'), other]) {
      await rig.agent.quickEdits.send({ text: `Change ${target.path}.`, target });
    }
    await rig.idleOrWaiting();
    expect((await rig.agent.state()).running).toHaveLength(2);
    release();
    await rig.idle();
    expect(plan()).toBe(TEXT.replace('One.', 'New.').replace('End.', 'New.'));
    expect(disk.vault.texts.get('Other/Plan.md')).toBe('New.\n');
    expect(eventsOn(disk, 'turn-end')).toHaveLength(3);
  });
});

describe('the mode of quick edits', () => {
  it('it is that of the current chat until one is set for the note', async () => {
    const { rig, send, plan } = await begin();
    const said = await rig.agent.queue.send({ text: 'Hello' });
    await rig.idle();
    if (!said.ok) throw new Error(said.reason);
    const { current } = await rig.agent.state();
    await rig.agent.conversations.setMode(current!.id, 'apply');
    expect(await rig.agent.quickEdits.check(PLAN)).toEqual({ ok: true, mode: 'apply' });
    await send(targetAt('One.'));
    expect(plan()).toBe(TEXT.replace('One.', 'New.'));
    await rig.agent.quickEdits.setMode(PLAN, 'review');
    expect(await rig.agent.quickEdits.check(PLAN)).toEqual({ ok: true, mode: 'review' });
    await send(targetAt('End.'));
    expect(plan()).toContain('ai-edit');
  });

  it('it follows the current chat from one quick edit to the next, and after a restart', async () => {
    const { rig, disk, send, plan } = await begin();
    const said = await rig.agent.queue.send({ text: 'Hello' });
    await rig.idle();
    if (!said.ok) throw new Error(said.reason);
    const { current } = await rig.agent.state();
    await rig.agent.conversations.setMode(current!.id, 'apply');
    await send(targetAt('One.'));
    expect(plan()).toBe(TEXT.replace('One.', 'New.'));
    await rig.agent.conversations.setMode(current!.id, 'review');
    expect(await rig.agent.quickEdits.check(PLAN)).toEqual({ ok: true, mode: 'review' });
    void rig.runner.close();
    const again = makeRig(disk);
    await again.load();
    expect(await again.agent.quickEdits.check(PLAN)).toEqual({ ok: true, mode: 'review' });
  });

  it('a quick edit runs in the mode that its field shows', async () => {
    const { rig, plan } = await begin({ panelMode: 'apply' });
    await rig.agent.quickEdits.send({ text: 'Shorter.', target: targetAt('One.'), mode: 'review' });
    await rig.idle();
    expect(plan()).toContain('ai-edit');
    expect(await rig.agent.quickEdits.check(PLAN)).toEqual({ ok: true, mode: 'apply' });
  });

  it('a chat that only answers leaves quick edits to the default', async () => {
    const { rig } = await begin({ panelMode: 'review' });
    await rig.agent.queue.send({ text: 'Hello' });
    await rig.idle();
    const { current } = await rig.agent.state();
    await rig.agent.conversations.setMode(current!.id, 'read-only');
    expect(await rig.agent.quickEdits.check(PLAN)).toEqual({ ok: true, mode: 'review' });
  });
});

describe('the conversation of quick edits', () => {
  it('all quick edits of a note share one conversation, named after the note', async () => {
    const { rig, send, disk } = await begin();
    const target = targetAt('One.');
    await Promise.all([send(target), send(target)]);
    await send({ ...targetAt('Other.', 'Other.\n', 'Other/Plan.md') });
    const { conversations } = await rig.agent.state();
    expect(conversations.map(({ title, quickEditsOf }) => [title, quickEditsOf])).toEqual([
      ['Edits in Plan', PLAN],
      ['Edits in Plan', 'Other/Plan.md'],
    ]);
    const again = makeRig(disk);
    await again.load();
    await again.agent.quickEdits.send({ text: 'Again.', target });
    await again.idle();
    expect((await again.agent.state()).conversations).toHaveLength(2);
  });

  it('the current conversation stays the one of the chat', async () => {
    const { rig, send } = await begin();
    await rig.agent.queue.send({ text: 'Hello.' });
    await rig.idle();
    const before = (await rig.agent.state()).current?.id;
    await send(targetAt('One.'));
    const { current, conversations } = await rig.agent.state();
    expect(conversations).toHaveLength(2);
    expect(current?.id).toBe(before);
  });

  it('Read only and hidden notes are refused before anything is sent', async () => {
    const { rig, send, disk } = await begin({ panelMode: 'read-only' });
    expect(await send(targetAt('One.'))).toMatchObject({ ok: false });
    await rig.agent.settings.set({ panelMode: 'review' });
    const hidden = targetAt('Hidden.', 'Hidden. #private\n', 'Secret.md');
    expect(await send(hidden)).toMatchObject({ ok: false });
    expect(eventsOn(disk, 'conversation-start')).toEqual([]);
  });
});

describe('the lines of a quick edit', () => {
  it('the context names the lines to change, and shows them numbered with their neighbors', async () => {
    const { send, contexts, plan } = await begin({ panelMode: 'apply' });
    await send(targetAt('One.\nTwo.'));
    const [told] = contexts();
    expect(told).toContain('change only lines 3-4 of Plan.md, with the position "replace:3-4"');
    expect(told).toContain('3: One.\n4: Two.\n');
    expect(told).toContain('9: End.');
    expect(plan()).toBe(TEXT.replace('One.\nTwo.', 'New.'));
  });

  it('a selected part of a line is named', async () => {
    const { send, contexts } = await begin();
    await send(targetAt('ne.'));
    expect(contexts()[0]).toContain('\nSelected in line 3: ne.\n</attached>');
  });

  it('an empty line is written to, also at the end of the note', async () => {
    const { send, plan } = await begin({ panelMode: 'apply' });
    const at = TEXT.indexOf('\n- item');
    const place = quickEditPlace(PLAN, TEXT, { from: at, to: at }, ANY_DEVICE);
    await send((place as { target: EditTarget }).target);
    expect(plan()).toBe(TEXT.replace('Two.\n\n', 'Two.\n\nNew.\n'));
    const now = plan() ?? '';
    const end = quickEditPlace(PLAN, now, { from: now.length, to: now.length }, ANY_DEVICE);
    await send((end as { target: EditTarget }).target);
    expect(plan()).toMatch(/End\.\n+New\.\n$/);
  });

  it('the lines are found again after text was added above them', async () => {
    const { send, plan, disk } = await begin({ panelMode: 'apply' });
    const target = targetAt('Two.');
    disk.vault.texts.set(PLAN, `Intro.\n${TEXT}`);
    await send(target);
    expect(plan()).toBe(`Intro.\n${TEXT.replace('Two.', 'New.')}`);
  });

  it('of two equal lines, the one that the user meant is changed', async () => {
    const { send, plan } = await begin({ panelMode: 'apply' });
    const from = TEXT.lastIndexOf('- item');
    const place = quickEditPlace(PLAN, TEXT, { from, to: from }, ANY_DEVICE);
    await send((place as { target: EditTarget }).target);
    expect(plan()).toBe(`${TEXT.slice(0, from)}\nNew.${TEXT.slice(from + 6)}`);
  });

  it('lines that can’t be told apart any more are left alone', async () => {
    const { send, plan, contexts, disk } = await begin({ panelMode: 'apply' });
    const target = targetAt('- item');
    const changed = 'x\n- item\nx\n- item\nx\n';
    disk.vault.texts.set(PLAN, changed);
    await send(target);
    expect(contexts()[0]).toContain('have changed since');
    expect(plan()).toBe(changed);
  });

  it('a follow-up at a proposed text changes the proposal and nothing else', async () => {
    const { send, plan, rig } = await begin({ panelMode: 'review' });
    await send(targetAt('Two.'));
    const [first] = rig.agent.edits.pending()[0]?.edits ?? [];
    const proposed = plan() ?? '';
    const at = proposed.indexOf('```ai-edit');
    const place = quickEditPlace(PLAN, proposed, { from: at, to: at + 1 }, ANY_DEVICE, true);
    const { target } = place as { target: EditTarget };
    expect(target.text).toContain('New.');
    await send({ ...target, text: target.text }, 'More formal.');
    const edits = rig.agent.edits.pending()[0]?.edits ?? [];
    expect(edits).toHaveLength(1);
    expect(edits[0]?.before).toBe(first?.before);
    await rig.agent.edits.reject({ edit: 'all', note: PLAN });
    expect(plan()).toBe(TEXT);
  });
});
