/** A change that was made at once, in words for a person. */
import type { Made } from './turn-changes';
import { counted, folderOf, noteName } from './words';

type Kind = Made['kind'] | 'properties' | 'tags';

function kindOf({ kind, tool }: Made): Kind {
  if (kind === 'write' && tool === 'update_properties') return 'properties';
  return kind === 'write' && tool === 'add_tags' ? 'tags' : kind;
}

export const MADE_ICONS: Record<Kind, string> = {
  create: 'file-plus',
  write: 'file-text',
  hold: 'file-pen-line',
  delete: 'trash-2',
  move: 'file-symlink',
  folder: 'folder-plus',
  properties: 'list',
  tags: 'tags',
};

export function madeIcon(made: Made): string {
  return MADE_ICONS[kindOf(made)];
}

/** Done at once in every mode: whoever reviews is asked whether it may stay. */
export function isAsked(made: Made): boolean {
  return ['move', 'folder', 'properties', 'tags'].includes(kindOf(made));
}

/** What the name of the note and the counted lines don't tell; '' where they tell all. */
export function madeWords(made: Made): string {
  switch (kindOf(made)) {
    case 'create':
      return 'New note';
    case 'delete':
      return 'Deleted';
    case 'folder':
      return 'New folder';
    case 'properties':
      return 'Properties changed';
    case 'tags':
      return 'Tags added';
    case 'move':
      return moveWords(made);
    default:
      return '';
  }
}

/** "Renamed from Boat, 3 links rewritten" */
function moveWords({ path, to = path, links = 0 }: Made): string {
  const [from, into] = [folderOf(path), folderOf(to)];
  const old = from === into ? noteName(path) : path.replace(/\.md$/, '');
  const verb = noteName(path) === noteName(to) ? 'Moved' : 'Renamed';
  const place = verb === 'Moved' ? (from === '' ? 'the top' : from.slice(0, -1)) : old;
  const rewritten = links > 0 ? `, ${counted(links, 'link')} rewritten` : '';
  return `${verb} from ${place}${rewritten}`;
}
