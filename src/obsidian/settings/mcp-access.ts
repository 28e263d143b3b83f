/** The row of Parley's MCP server: its status, and its address and token to copy. */
import * as t from '#messages/settings-messages';
import { clipboardUnavailable } from '#messages/shared-messages';
import type { Setting } from 'obsidian';
import type { McpServerStatus } from '#ports/app/mcp-server-port';
import { copyText } from '../host-ui';
import type { SettingRowDeps } from './setting-rows';

export class McpAccessRow {
  readonly #deps: Pick<SettingRowDeps, 'agent' | 'notice'>;
  /** Updates the status, once its row is rendered. */
  #show: () => void = () => undefined;

  constructor(deps: Pick<SettingRowDeps, 'agent' | 'notice'>) {
    this.#deps = deps;
    deps.agent.mcpServer.subscribe(() => this.#show());
  }

  readonly render = (setting: Setting): void => {
    const said = setting.descEl.createDiv({ attr: { role: 'status' } });
    const copy = (what: 'address' | 'token') => async () => {
      const text = (await this.#deps.agent.mcpServer.access())[what];
      await copyText(text).then(
        () => this.#deps.notice(t.copiedWhat(what)),
        () => this.#deps.notice(clipboardUnavailable),
      );
    };
    const add = (text: string, click: () => Promise<void>) =>
      setting.addButton((button) => {
        const run = () => click().catch((error: Error) => this.#deps.notice(error.message));
        button.setButtonText(text).onClick(run);
      });
    add(t.copyAddress, copy('address'));
    add(t.copyToken, copy('token'));
    add(t.newToken, async () => {
      await this.#deps.agent.mcpServer.renewToken();
      this.#deps.notice(t.newTokenCreated);
    });
    this.#show = () => said.setText(serverStatusText(this.#deps.agent.mcpServer.state));
    this.#show();
  };
}

function serverStatusText(state: McpServerStatus): string {
  switch (state.kind) {
    case 'off':
      return t.off;
    case 'elsewhere':
      return t.otherWindowServes;
    case 'starting':
      return t.openingPort;
    case 'running': {
      const { address, clients } = state;
      const who = clients.length === 0 ? t.noApps : t.connectedApps(clients.join(', '));
      return t.runningAt(address, who);
    }
    case 'refused':
      return state.reason;
  }
}
