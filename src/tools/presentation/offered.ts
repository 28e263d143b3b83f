/** Which tools programs outside are offered. */
import type { Settings } from '#model/settings';
import { permissionOf, type ToolRegistry } from '../registry';
import type { AnyTool } from '../tool';

/**
 * Those of notes and the vault. What the others do has no meaning outside a conversation with a user (asking, planning,
 * ending), would show a program what the user said to somebody else (`get_conversation`), goes out to the web, where
 * the program can go by itself, or belongs to another server, whose tools are not Parley's to hand on.
 */
const AGENTS: ReadonlySet<string> = new Set([
  'note_reader',
  'vault_librarian',
  'note_editor',
  'vault_manager',
]);

/**
 * Nothing is attached to a program's call, and which note is open is not its business; a copy button is for a user;
 * commands were put on the whitelist with one agent in mind.
 */
const WITHHELD: ReadonlySet<string> = new Set(['get_context', 'copy_notes', 'execute_command']);

/** What changes notes, or what is on screen, only where the user has switched that on. */
export function offeredTools(registry: ToolRegistry, settings: Settings): AnyTool[] {
  return registry
    .tools()
    .filter(
      (tool) =>
        AGENTS.has(tool.agent) &&
        !WITHHELD.has(tool.name) &&
        permissionOf(tool, settings) !== 'off' &&
        (settings.mcpServerWrites || (tool.effect === 'read' && !tool.navigates)),
    );
}
