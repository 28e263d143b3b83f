/** The type of a view that the last layout shows. */
export const START_VIEW = 'contract-start';

/** The files of the vault in which the questions about the start are asked. */
export const START_FILES: Readonly<Record<string, string>> = {
  'First.md': '',
  // Otherwise Obsidian asks before it updates the links to a renamed note.
  '.obsidian/app.json': JSON.stringify({ alwaysUpdateLinks: true }),
  '.obsidian/workspace.json': JSON.stringify({
    right: {
      ...{ id: 'contract-right', type: 'split', direction: 'horizontal', width: 300 },
      children: [
        {
          ...{ id: 'contract-tabs', type: 'tabs' },
          children: [{ id: 'contract-leaf', type: 'leaf', state: { type: START_VIEW, state: {} } }],
        },
      ],
    },
  }),
};
