/** Notes with links, tags, properties and tasks, in several scripts. */
import type { NoteFiles } from '../../builders/fake-vault';

export const GRAPH: NoteFiles = {
  'Home.md': '# Home\n\n[[Garden]] and [[京都]].\n\n- [ ] call Ines\n- [x] pay rent\n',
  'Projects/Garden.md':
    '---\nstatus: open\ndue: 2026-12-01\nrank: 3\npeople: ["[[Ines]]", Tamsin]\ntags: [garden/beds, work]\ndone: false\n---\n# Garden\n\nSee [[Compost]], [[Compost#Turning|again]] and [[Nowhere]].\n\n- [ ] sow beans\n  - [ ] soak them\n- [x] dig\n',
  'Projects/Shed.md':
    '---\nStatus: Closed\ndue: 2027-01\nrank: 12\nempty:\n---\nA shed. #garden\n\nBack to [[Home]]; [[Gardn]].\n',
  'Notes/Compost.md': '# Compost\n\n## Turning\n\nHot. #Garden/beds #food\n\n[[京都]]\n',
  'Notes/京都.md': '---\ntags: 旅行\n---\n# 京都\n\n苔。[[Nowhere]]\n',
  'Notes/ערב.md': 'שלום עולם\n',
  'Notes/Broken.md': '---\na: [\n---\nBroken front matter.\n',
  'Media/map.png': Uint8Array.of(1, 2, 3),
  'Private/Diary.md': '---\nstatus: open\n---\n#private and [[Home]] #secret\n',
  'Old/': '',
};
