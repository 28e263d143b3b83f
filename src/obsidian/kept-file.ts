/** Files from outside the vault that the agent is to see: they have to lie in it, and do so where attachments go. */
import { moment, type App } from 'obsidian';
import type { Kept } from '#ports/ui';

export async function keepInVault({ fileManager, vault }: App, file: File): Promise<Kept> {
  // What a browser calls every picture that is pasted.
  const name = file.name.replace(
    /^image(?=\.\w+$)/,
    `Pasted image ${moment.unix(file.lastModified / 1_000).format('YYYYMMDDHHmmss')}`,
  );
  try {
    const path = await fileManager.getAvailablePathForAttachment(name);
    await vault.createBinary(path, await file.arrayBuffer());
    return { ok: true, path };
  } catch (error) {
    return { ok: false, problem: `${name} could not be put into the vault. (${String(error)})` };
  }
}
