import * as approvals from '#messages/approval-messages';
import * as z from 'zod/mini';
import type { HostCommand } from '#ports/ui';
import { defineTool, problem, text, type ToolContext } from '../tool';

const input = z.strictObject({
  command: z.string().check(z.minLength(1), z.describe('Id or name of the command.')),
});

export const executeCommand = defineTool<z.infer<typeof input>>({
  name: 'execute_command',
  version: 1,
  agent: 'vault_manager',
  effect: 'change',
  permission: 'off',
  navigates: true,
  description:
    'Runs an Obsidian command that is on the list of allowed commands in the settings. A call with any other name returns that list. The result does not say what the command did.',
  input,
  example: { command: 'daily-notes' },
  async approvalDraft({ command }, context) {
    const found = allowedCommand(command, context);
    if (typeof found === 'string') return problem(found, 'unavailable');
    return {
      kind: 'approval',
      tool: 'execute_command',
      title: approvals.runCommandTitle(found.name),
      lines: [approvals.commandReason(found.id)],
      said: { title: approvals.runCommandTitle(found.name), about: [approvals.commandEffect] },
      choices: ['allow-once', 'always', 'deny'],
    };
  },
  async run({ command }, context) {
    const found = allowedCommand(command, context);
    if (typeof found === 'string') return problem(found, 'unavailable');
    const { id, name } = found;
    return context.commands.run(id)
      ? text(`Ran "${name}" (${id}).`)
      : problem(
          `"${name}" (${id}) did not run: it is not available at present, or failed.`,
          'unavailable',
        );
  },
});

/** The requested command, or a message for the model if it is not allowed. */
function allowedCommand(
  requested: string,
  { settings, commands }: ToolContext,
): HostCommand | string {
  const all = commands.all();
  const listed = settings.commands.flatMap((id) => all.find((each) => each.id === id) ?? []);
  const name = requested.trim().toLowerCase();
  const found =
    listed.find(({ id }) => id === requested.trim()) ??
    listed.find((each) => each.name.toLowerCase() === name);
  if (found) return found;
  if (settings.commands.includes(requested.trim())) {
    return `"${requested}" was not run: it is allowed in Parley's settings, but Obsidian does not have this command now. Its plugin is probably switched off or not installed on this device.`;
  }
  const names = listed.map((each) => `\n- ${each.id} (${each.name})`).join('');
  const none = settings.commands.length === 0 ? ' none.' : ' none that Obsidian has now.';
  return `"${requested}" was not run: it is not among the commands allowed in Parley's settings. Allowed commands:${names || none}`;
}
