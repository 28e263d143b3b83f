/** Settings of Parley's MCP server, which offers the tools to other programs. */
import * as t from '#model/messages/settings-messages';
import type { ButtonComponent, Setting } from 'obsidian';
import type { Mode } from '#model/settings';
import type { McpServerPort, McpServerStatus, McpServerTerms } from '#ports/app/mcp-server-port';
import type { Ui } from '#ports/ui';
import { numberRow, type SettingRow } from './setting-rows';

export class McpServerSettings {
  readonly #serving: McpServerPort;
  readonly #notice: Ui['notice'];
  /** Updates the status, once its row is rendered. */
  #show: () => void = () => undefined;

  constructor(serving: McpServerPort, notice: Ui['notice']) {
    this.#serving = serving;
    this.#notice = notice;
    serving.subscribe(() => this.#show());
  }

  rows(modes: Record<Mode, string>): SettingRow[] {
    return [
      {
        name: t.mcpServer,
        desc: t.mcpServerDetail,
        aliases: ['MCP', 'server', 'Model Context Protocol', 'Claude Code', 'external app'],
        control: { type: 'toggle', key: 'mcpServerEnabled' },
      },
      {
        name: t.mcpWrite,
        desc: t.mcpWriteDetail,
        aliases: ['MCP', 'write'],
        control: { type: 'toggle', key: 'mcpServerWrites' },
      },
      {
        name: t.mcpMode,
        desc: t.mcpModeDetail,
        aliases: ['MCP', 'review', 'apply', t.readOnlyLower],
        control: { type: 'dropdown', key: 'mcpServerMode', options: modes },
      },
      numberRow('mcpServerPort', t.mcpPort, t.mcpPortDetail, ['MCP']),
      {
        name: t.connectApp,
        desc: t.connectAppDetail,
        aliases: ['MCP', 'token', 'address', 'secret'],
        render: (setting) => this.#renderAccess(setting),
      },
    ];
  }

  #renderAccess(setting: Setting): void {
    const said = setting.descEl.createDiv({ attr: { role: 'status' } });
    const copy = (what: 'address' | 'token') => async () => {
      await navigator.clipboard.writeText((await this.#serving.access())[what]);
      this.#notice(t.copiedWhat(what));
    };
    /**
     * The buttons, and whether each is shown while the server waits for approval on this device.
     */
    const shown: [button: ButtonComponent, whileAsking: boolean][] = [];
    /** The terms shown last, which are the ones that the user allows. */
    let terms: McpServerTerms | null = null;
    const add = (text: string, click: () => Promise<void>, whileAsking = false) =>
      setting.addButton((button) => {
        shown.push([button.setButtonText(text).onClick(click), whileAsking]);
        if (whileAsking) button.setCta();
      });
    add(t.allowOnDevice, () => this.#serving.allow(terms), true);
    add(t.copyAddress, copy('address'));
    add(t.copyToken, copy('token'));
    add(t.newToken, async () => {
      await this.#serving.renewToken();
      this.#notice(t.newTokenCreated);
    });
    this.#show = () => {
      const { state } = this.#serving;
      said.setText(serverStatusText(state));
      terms = state.kind === 'asks' ? state.terms : null;
      for (const [{ buttonEl }, whileAsking] of shown) {
        buttonEl.toggle(whileAsking === (state.kind === 'asks'));
      }
    };
    this.#show();
  }
}

const TERM_WORDS: Record<McpServerTerms, string> = {
  reading: t.termsRead,
  'read-only': t.termsReadOnly,
  review: t.termsReview,
  apply: t.termsApply,
};

function serverStatusText(state: McpServerStatus): string {
  switch (state.kind) {
    case 'off':
      return t.off;
    case 'asks':
      return t.notAllowedYet(TERM_WORDS[state.terms]);
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
