/**
 * A conversation that uses tools of each agent, and the notes it leaves, for every tool
 * presentation.
 */
import { presented } from '#workbench/model/demo-turn';
import { call, reply, type Reply } from '#workbench/model/replies';
import type { Answer, Respond } from '#workbench/model/server';
import type { ModelRequest } from '#workbench/model/wire';

export const FILES = {
  'Inbox/Idea.md': '# Idea\n\nBeans in May.\n',
  'Lists/Shopping.md': '# Shopping\n\n- bread\n',
  'Notes/Other.md': 'See [[Idea]].\n',
};
export const AFTER = {
  'Lists/Shopping.md': '# Shopping\n\n- bread\n- milk\n',
  'Notes/Beans.md': '# Beans\n\nIn May.\n',
  'Notes/Other.md': 'See [[Idea]].\n',
  'Projects/Idea.md': '# Idea\n\nBeans in May.\n',
};

const steps = [{ text: 'Look', state: 'doing' }];
export const MILK = { path: 'Lists/Shopping.md', edits: [{ position: 'end', content: '- milk' }] };
export const BEANS = { path: 'Notes/Beans.md', content: '# Beans\n\nIn May.\n' };
export const MOVE = { source: 'Inbox/Idea.md', destination: 'Projects/' };
export const END = { summary: 'All of it.', outcome: 'done' };

export const CONVERSATION: readonly Reply[] = [
  reply('I look.', call('plan', { steps }), call('search_files', { pattern: 'bread' })),
  reply('I read.', call('read_file', { path: 'Lists/Shopping.md' })),
  reply('I write.', call('edit_file', MILK), call('write_file', BEANS)),
  reply(call('move', MOVE), call('create_folder', { path: 'Archive/2026' })),
  reply(call('ask_user', { question: 'Is that all?' })),
  reply(call('read_file', { path: 'Lists/Shoping.md' })),
  reply(call('done', END)),
];

/** Rewrites the replies' calls for the way each request presents its tools. */
export function asOffered(respond: Respond): Respond {
  const said = (answer: Answer, { tools = [] }: ModelRequest): Answer =>
    answer.kind === 'reply' ? presented(answer, tools) : answer;
  return async (request, context) => said(await respond(request, context), request);
}
