/** The rows of hidden folders, with a picker that adds one, and of the notes of custom tools. */
import * as t from '#messages/settings-messages';
import { noteName } from '#text/paths';
import type { CustomToolNote } from '#ports/app/settings-port';
import { FolderPicker, vaultFolders } from '../folder-picker';
import {
  buttonRow,
  type LoadedValue,
  validatorOf,
  type SettingRow,
  type SettingRowDeps,
} from './setting-rows';

export function customToolRows(tools: LoadedValue<readonly CustomToolNote[]>): SettingRow[] {
  const rows = tools.value.map((note) =>
    'tool' in note
      ? { name: note.tool, desc: note.path }
      : { name: t.notATool(noteName(note.path)), desc: `${note.reason} (${note.path})` },
  );
  const help: SettingRow = {
    name: t.customToolHelp,
    desc: t.customToolHelpDetail,
    render: (setting) => {
      void tools.refresh();
      setting.descEl.createEl('pre', { text: t.customToolExample });
    },
  };
  return [...rows, help];
}

export function hiddenFolderRows({ app, agent, save, redraw }: SettingRowDeps): SettingRow[] {
  const aliases = ['private', 'hide', 'ignore', 'secret', 'exclude', 'block'];
  const hidden = () => agent.settings.current().excludedFolders;
  const others = (path: string) => hidden().filter((each) => each !== path);
  const put = (folders: readonly string[]) => save('excludedFolders', folders).then(redraw);
  const pick = async () => {
    const folders = vaultFolders(app).filter((path) => !hidden().includes(path));
    const path = await new FolderPicker(app, {
      ...{ placeholder: t.chooseFolder, newFolderText: t.hideMissingFolder, folders },
      // A folder can be hidden before it exists.
      isNewAllowed: (typed) =>
        !hidden().includes(typed) && validatorOf('excludedFolders')([typed]) === undefined,
    }).choose();
    if (path !== null) await put([...others(path), path]);
  };
  return [
    buttonRow(t.excludedFolders, t.excludedFoldersDetail, t.addFolder, () => void pick(), aliases),
    ...hidden().map((path) =>
      buttonRow(path, t.hiddenFolder, t.remove, () => put(others(path)), aliases),
    ),
  ];
}
