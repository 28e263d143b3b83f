import * as z from 'zod/mini';
import { changed, changeNote, defineTool, problem, unchanged } from '../tool';

const input = z.strictObject({
  path: z.string(),
});

export const createFolder = defineTool<z.infer<typeof input>>({
  name: 'create_folder',
  version: 1,
  agent: 'vault_manager',
  effect: 'change',
  permission: 'allow',
  adds: true,
  description:
    'Creates an empty folder. write_file, move and copy create missing folders themselves.',
  input,
  example: { path: 'Projects/Garden' },
  async run({ path: raw }, context) {
    const target = await context.vault.destination(raw, { what: 'folder' });
    if (!target.ok) return problem(target);
    const { path, existing } = target.value;
    if (existing?.kind === 'file') {
      return problem(
        `${path} is a file; a folder can't have the same path. Choose another name.`,
        'exists',
      );
    }
    if (existing || path === '') return unchanged(`${path || '/'} already exists.`);
    const effect = { kind: 'folder', path } as const;
    const done = await context.vault.change(effect);
    if (!done.ok) return problem(done);
    return changed(`Created the folder ${path}.`, changeNote(done.value));
  },
});
