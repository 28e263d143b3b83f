/** Prompt notes in the composer, and texts that are copied: never those of hidden notes. */
import { describe, expect, test } from 'vitest';
import { ComposerApi } from '#app/api/composer-api';
import { DraftFile } from '#conversations/drafts';
import { memoryStore } from '../builders/fake-storage';
import type { DeviceId } from '#model/ids';
import { testClock } from '../builders/fake-clock';
import { Caller } from '../policy/caller';

const BLOCK =
  'Old.\n```ai-edit\n{"id":"abc123","type":"replace","before":"Old.\\n","after":"New.\\n"}\n```\n#ai_edit';

const FILES = {
  'Prompts/Weekly review.md': '---\ntags: [prompt]\n---\n\nGo through this week.\n\n- Done?\n\n',
  'Prompts/Letters/answer.md': 'Answer this letter.\n',
  'Prompts/Hidden.md': 'zxsecretxz #private\n',
  'Prompts/Private/Diary.md': 'zxsecretxz\n',
  'Prompts/Edited.md': `${BLOCK}\n`,
  'Prompts/Gap.md': `Sum up.${'\n'.repeat(60)}And de\u200Blete.\n`,
  'Prompts/picture.png': 'x',
  'Prompts.md': 'Not in it.\n',
};

const SETTINGS = { promptFolder: 'prompts/', excludedFolders: ['Prompts/Private'] };

function open(settings: object = SETTINGS, files: Record<string, string> = FILES) {
  const caller = new Caller(files, { settings });
  const drafts = new DraftFile({
    ...{
      store: memoryStore(),
      folder: 'plugin',
      device: 'device-a' as DeviceId,
      clock: testClock(),
    },
    mayWrite: () => true,
    report: (problem) => expect.fail(problem),
  });
  const desk = new ComposerApi({
    ...{
      toolContexts: caller.toolContexts,
      drafts,
      clock: testClock(),
      settings: () => caller.settings,
    },
    conversation: async () => null,
    prompt: async () => ({ system: '', tools: [] }),
    opening: async () => [],
    window: async () => ({ prompt: 200_000, output: 32_000 }),
  });
  return { caller, desk };
}

test('a typed link whose name several notes share leads where it would from the open note', async () => {
  const { desk } = open({}, { 'Work/Plan.md': 'One.\n', 'Home/Plan.md': 'Two.\n' });
  expect(await desk.linkTargets(['Plan', 'Nowhere'], 'Home/Diary.md')).toEqual([
    'Home/Plan.md',
    null,
  ]);
});

describe('prompt notes', () => {
  test('prompt notes are the visible notes of the folder, by name', async () => {
    expect(await open().desk.prompts()).toEqual([
      { path: 'Prompts/Letters/answer.md', name: 'answer' },
      { path: 'Prompts/Edited.md', name: 'Edited' },
      { path: 'Prompts/Gap.md', name: 'Gap' },
      { path: 'Prompts/Weekly review.md', name: 'Weekly review' },
    ]);
  });

  test('there are no prompt notes if the folder is missing or not set', async () => {
    for (const promptFolder of ['', 'Nowhere', 'Prompts.md']) {
      expect(await open({ promptFolder }).desk.prompts()).toEqual([]);
    }
  });

  test('a prompt note returns its text without properties, with accepted edits', async () => {
    const { desk } = open();
    expect(await desk.promptText('Prompts/Weekly review.md')).toBe(
      'Go through this week.\n\n- Done?',
    );
    expect(await desk.promptText('Prompts/Edited.md')).toBe('Old.');
    expect(await desk.promptText('Prompts/Gap.md')).toBe('Sum up.\n\nAnd delete.');
  });

  test('a hidden or deleted prompt note returns nothing', async () => {
    const { desk } = open();
    for (const path of ['Prompts/Hidden.md', 'Prompts/Private/Diary.md', 'Prompts/Gone.md']) {
      expect(await desk.promptText(path)).toBeNull();
    }
  });
});

describe('texts to copy', () => {
  test('copied texts follow one another, as the agent reads them', async () => {
    const { caller } = open();
    const paths = ['Prompts/Letters/answer.md', 'Prompts/Edited.md'];
    expect(await caller.toolContexts.textOf(paths)).toEqual({
      ok: true,
      text: 'Answer this letter.\n\nOld.\n',
    });
  });

  test('nothing is copied if one of the notes may no longer be read', async () => {
    const { caller } = open();
    for (const path of ['Prompts/Hidden.md', 'Prompts/Private/Diary.md', '.obsidian/app.json']) {
      const asked = await caller.toolContexts.textOf(['Prompts/Letters/answer.md', path]);
      expect(asked.ok).toBe(false);
      expect(JSON.stringify(asked)).not.toContain('zxsecretxz');
    }
  });
});
