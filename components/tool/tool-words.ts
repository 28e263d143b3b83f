/** Icon and words for each tool. */
import * as t from '#model/messages/tool-messages';
import type { ToolWords } from '#model/messages/tool-messages';
import { wordsOfGlob, wordsOfPattern } from './pattern-words';

const ICONS: Readonly<Record<string, string>> = {
  read_file: 'file-text',
  get_file_info: 'info',
  get_properties: 'list',
  get_context: 'paperclip',
  copy_notes: 'copy',
  execute_command: 'terminal',
  query_notes: 'filter',
  list_tags: 'tags',
  get_links: 'waypoints',
  find_dead_links: 'unlink',
  explore_structure: 'folder-tree',
  search_files: 'search',
  search_vault: 'search',
  web_search: 'globe',
  read_webpage: 'globe',
  list_files: 'folder-tree',
  get_conversation: 'history',
  edit_file: 'pencil',
  write_file: 'file-plus',
  update_properties: 'list',
  add_tags: 'tags',
  link_notes: 'link',
  apply_template: 'layout-template',
  create_folder: 'folder-plus',
  open_note: 'square-arrow-out-up-right',
  move: 'file-symlink',
  delete: 'trash-2',
  plan: 'list-checks',
  end_conversation: 'message-square-x',
};

type Input = Readonly<Record<string, unknown>>;

/** @param input decides between words such as "searching headings" and "searching" */
export function toolWords(name: string, { pattern }: Input = {}): ToolWords {
  if (typeof pattern === 'string') {
    if (name === 'list_files' && wordsOfGlob(pattern).length > 0) return t.lookingFor;
    const place = name === 'search_files' ? wordsOfPattern(pattern).place : 'text';
    if (place === 'headings') return t.searchingHeadings;
    if (place === 'tasks') return t.searchingTasks;
  }
  const known = Object.hasOwn(t.byTool, name) ? t.byTool[name] : undefined;
  return known ?? t.otherTool(name.replaceAll('_', ' '));
}

export function iconOf(name: string): string {
  return (Object.hasOwn(ICONS, name) ? ICONS[name] : undefined) ?? 'wrench';
}
