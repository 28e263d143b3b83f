/** What extensions of an editor may ask about the view that it is in. */
import type { MarkdownFileInfo } from 'obsidian';
import { StateEffect, StateField } from '@codemirror/state';

/** Whose editor it is; set where one is made. */
export const editorInfoField = StateField.define<MarkdownFileInfo>({
  create: () => {
    throw new Error('An editor is made for a view.');
  },
  update: (info) => info,
});

/** Tells an editor whether it shows live preview from now on. */
export const showsLivePreview = StateEffect.define<boolean>();

export const editorLivePreviewField = StateField.define<boolean>({
  create: () => false,
  update: (isLive, { effects }) =>
    effects.reduce((now, effect) => (effect.is(showsLivePreview) ? effect.value : now), isLive),
});
