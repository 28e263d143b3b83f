/** Settings of Parley's MCP server, which offers the tools to other programs. */
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
        name: 'Let programs use the tools',
        desc: 'Programs on this computer that speak the Model Context Protocol, such as Claude Code or an editor with an agent, can read your notes by Parley’s tools and under its permissions. What they read goes where they send it. Nobody else can connect: the port is this computer’s own, and opens to the token only. Where this setting comes by sync, it opens once you allow it there.',
        aliases: ['MCP', 'server', 'Model Context Protocol', 'Claude Code'],
        control: { type: 'toggle', key: 'mcpServerEnabled' },
      },
      {
        name: 'Let them change notes',
        desc: 'Adds the tools that write, move and delete. What asks you asks you here: the program waits for your answer.',
        aliases: ['MCP', 'write'],
        control: { type: 'toggle', key: 'mcpServerWrites' },
      },
      {
        name: 'Mode for programs',
        desc: 'While you have not set another in the chat that holds a program’s calls. Review proposes changes in the notes, Apply makes them at once, undoable.',
        aliases: ['MCP', 'review', 'apply', 'read only'],
        control: { type: 'dropdown', key: 'mcpServerMode', options: modes },
      },
      numberRow('mcpServerPort', 'Port for programs', 'Where they connect, on this computer.', [
        'MCP',
      ]),
      {
        name: 'Connect a program',
        desc: 'Give it this address, and the token as “Authorization: Bearer …”. Whoever has the token can use the tools; it lies in the secret storage of this computer. A new one sends every program away that has the old.',
        aliases: ['MCP', 'token', 'address', 'secret'],
        render: (setting) => this.#renderAccess(setting),
      },
    ];
  }

  #renderAccess(setting: Setting): void {
    const said = setting.descEl.createDiv({ attr: { role: 'status' } });
    const copy = (what: 'address' | 'token') => async () => {
      await navigator.clipboard.writeText((await this.#serving.access())[what]);
      this.#notice(`The ${what} is copied.`);
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
    add('Allow on this device', () => this.#serving.allow(terms), true);
    add('Copy address', copy('address'));
    add('Copy token', copy('token'));
    add('New token', async () => {
      await this.#serving.renewToken();
      this.#notice('There is a new token. Programs need it to connect again.');
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
  reading: 'read notes',
  'read-only': 'read notes, and have the tools that change them in Read only',
  review: 'read notes, and propose changes in them',
  apply: 'read notes, and change them at once',
};

function serverStatusText(state: McpServerStatus): string {
  switch (state.kind) {
    case 'off':
      return 'Off.';
    case 'asks':
      return `Switched on, but not allowed on this device yet: programs would ${TERM_WORDS[state.terms]}. Nothing can connect until you allow it.`;
    case 'elsewhere':
      return 'Another window of this vault is at work, and programs connect there.';
    case 'starting':
      return 'Opening the port…';
    case 'running': {
      const { address, clients } = state;
      const who =
        clients.length === 0 ? 'Nobody is connected.' : `Connected: ${clients.join(', ')}.`;
      return `Running at ${address}. ${who}`;
    }
    case 'refused':
      return state.reason;
  }
}
