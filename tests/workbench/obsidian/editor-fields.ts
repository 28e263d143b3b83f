/** State fields through which editor extensions learn about their view. */
import type { MarkdownFileInfo } from 'obsidian';
import { StateEffect, StateField } from '@codemirror/state';

/** The view that an editor belongs to, set when the editor is created. */
export const editorInfoField = StateField.define<MarkdownFileInfo>({
  create: () => {
    throw new Error('An editor is made for a view.');
  },
  update: (info) => info,
});

/** Turns live preview on or off in an editor. */
export const showsLivePreview = StateEffect.define<boolean>();

export const editorLivePreviewField = StateField.define<boolean>({
  create: () => false,
  update: (isLive, { effects }) =>
    effects.reduce((now, effect) => (effect.is(showsLivePreview) ? effect.value : now), isLive),
});
