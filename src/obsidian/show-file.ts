import type { App } from 'obsidian';
import type { ShowFile } from '#ports/ui';

/** Opens files in the main area. */
export function showFile({ workspace }: App): ShowFile {
  return (path, { line, inNewTab }) =>
    workspace.openLinkText(
      path,
      '',
      inNewTab ? 'tab' : false,
      line === null ? {} : { eState: { line: line - 1 } },
    );
}
