/** The settings of the commands that the agent may run. */
import type { SettingDefinitionGroup } from 'obsidian';
import type { HostCommands } from '#ports/ui';
import type { Name, Row } from './setting-rows';
import { linesProblem } from './typed-lines';

export function commandGroup(
  listed: readonly string[],
  host: HostCommands,
): SettingDefinitionGroup<Name> {
  const names = new Map(host.all().map(({ id, name }) => [id, name]));
  const rows = listed.map((id): Row => {
    const name = names.get(id);
    return { name: name ?? id, desc: name ? id : 'No command of this vault has this id.' };
  });
  const typed: Row = {
    name: 'Commands that may be run',
    desc: 'One id a line, such as daily-notes. They run with all that they can do, once execute_command is set to allow or ask.',
    aliases: ['palette', 'execute_command'],
    control: { type: 'textarea', key: 'commands', rows: 3, validate: linesProblem('commands') },
  };
  return { type: 'group', heading: 'Commands', items: [typed, ...rows] };
}
