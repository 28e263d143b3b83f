/** A realistic vault: several scripts and line endings, and files that are not notes. */
import type { NoteFiles } from '../builders/fake-vault';

export const LONG_LINES = 60_000;

/** Just under 3 MB. */
export const longNote = Array.from(
  { length: LONG_LINES },
  (_, at) => `Line ${at + 1} of a long note, with words to it.`,
).join('\n');

export const canvas = JSON.stringify({
  nodes: [
    { id: 'b', type: 'file', file: 'Notes/Tomatoes.md', x: 300, y: 0, width: 200, height: 100 },
    { id: 'a', type: 'text', text: '**Bed A**\nBroad beans', x: 0, y: 0, width: 200, height: 100 },
    { id: 'g', type: 'group', label: 'Later', x: -20, y: 300, width: 400, height: 300 },
    { id: 'c', type: 'link', url: 'https://example.org/', x: 0, y: 320, width: 200, height: 100 },
  ],
  edges: [
    { id: '1', fromNode: 'a', toNode: 'b', label: 'then' },
    { id: '2', fromNode: 'b', toNode: 'gone' },
  ],
});

export const FIXTURE: NoteFiles = {
  'Notes/Tomatoes.md':
    '---\naliases: [Love apples]\ntags: [garden, "food/summer"]\n---\n# Tomatoes\n\nSown in March, see [[Compost]].\n\n## Care\n\nWater daily. #watering\n\n```sh\n# no heading\n```\n\n## Harvest\n\n[[Nowhere]] and [[Lists/Shopping|list]].\n',
  'Notes/Compost.md': '# Compost\r\n\r\nTurn it.\r\n\r\nAgain.\r\n',
  'Notes/京都の苔.md': '# 京都の苔\n\n苔は静かだ。\n',
  'Notes/Straße.md': '\uFEFF# Straße\n\nEins\nZwei',
  'Notes/ערב.md': 'שלום עולם\n',
  'Notes/Emoji 👩‍🚀.md': '👩‍🚀'.repeat(500),
  'Notes/Empty.md': '',
  'Notes/Blank.md': '\n\n',
  'Notes/Latin1.md': Uint8Array.of(0x67, 0x72, 0xfc, 0x6e, 0x0a),
  'Notes/Long.md': longNote,
  'Notes/One line.md': `${'word '.repeat(3_000)}end`,
  'Work/Plan.md': 'work plan\n',
  'Home/Plan.md': 'home plan\n',
  'Home/Empty/': '',
  'Old/': '',
  'Media/photo.png': Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13),
  'Media/data.bin': Uint8Array.of(1, 2, 3, 0, 255),
  'Boards/Beds.canvas': canvas,
  'Boards/Broken.canvas': '{"nodes": [',
  'Boards/Projects.base': 'views:\n  - type: table\n    name: All\n',
  'Lists/Shopping.md': '- bread\n- butter\n- cheese\n',
};
