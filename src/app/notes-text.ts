import type { Agent } from '#ports/agent';
import type { ToolContexts } from '#tools/tool-context';

/** The texts of notes below one another; what may no longer be read is told, and then nothing is given. */
export async function textOf(
  paths: readonly string[],
  room: ToolContexts,
): ReturnType<Agent['textOf']> {
  const vault = room.vault();
  const texts: string[] = [];
  for (const path of paths) {
    const found = await vault.find(path, 'file');
    const read = found.ok ? await vault.read(path) : found;
    if (!read.ok) return read;
    texts.push(read.value.text.trim());
  }
  return { ok: true, text: `${texts.join('\n\n')}\n` };
}
