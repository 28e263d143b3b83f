/**
 * A settings page for each group of tools: whether it is enabled, and the permissions of its tools.
 */
import * as t from '#messages/settings-messages';
import type { Setting, SettingDefinitionPage, SettingGroupItem } from 'obsidian';
import { permissionSet, type Permission } from '#model/setting-choices';
import type { Settings } from '#model/settings';
import type { ListedAgent, ListedTool } from '#ports/app/settings-port';
import { capitalize } from '#text/shorten';
import { type SettingName, type SettingRow, type SettingRowDeps } from './setting-rows';

const PERMISSIONS: readonly [Permission, string][] = [
  ['allow', t.allow],
  ['ask', t.ask],
  ['off', t.offShort],
];

export class ToolPages {
  readonly #deps: Pick<SettingRowDeps, 'agent' | 'save'>;

  constructor(deps: Pick<SettingRowDeps, 'agent' | 'save'>) {
    this.#deps = deps;
  }

  items(agents: readonly ListedAgent[]): SettingGroupItem<SettingName>[] {
    return agents.map((agent) => this.#page(agent));
  }

  #page(agent: ListedAgent): SettingDefinitionPage<SettingName> {
    const { name, key, description, tools } = agent;
    const visible = () => !this.#isDisabled(key);
    const free = tools.filter(({ fixed }) => !fixed);
    const kept = tools.length > free.length ? t.keptTools : '';
    const first: SettingRow = {
      name: t.enableGroup,
      desc: t.enableGroupDetail(kept),
      aliases: ['disable', 'enable', 'agent'],
      render: (setting) => this.#toggle(setting, key),
    };
    return {
      type: 'page',
      name: sentenceCase(name),
      desc: description,
      displayValue: () => this.#statusText(agent),
      items: [
        first,
        { type: 'group', heading: t.tools, visible, items: free.map((tool) => this.#tool(tool)) },
      ],
    };
  }

  get #settings(): Settings {
    return this.#deps.agent.settings.current();
  }

  #isDisabled(agent: string): boolean {
    return this.#settings.disabledAgents.includes(agent);
  }

  #permission({ key, permission, fixed }: ListedTool): Permission {
    return fixed ? permission : permissionSet(this.#settings, key, permission);
  }

  /** Summary of the permissions other than "allow". */
  #statusText({ key, tools }: ListedAgent): string {
    if (this.#isDisabled(key)) return t.offShort;
    const countOf = (permission: Permission) =>
      tools.filter((tool) => !tool.fixed && this.#permission(tool) === permission).length;
    const [asks, off] = [countOf('ask'), countOf('off')];
    return [asks > 0 ? t.asksCount(asks) : '', off > 0 ? t.offCount(off) : '']
      .filter((part) => part !== '')
      .join(', ');
  }

  #toggle(setting: Setting, agent: string): void {
    setting.addToggle((toggle) => {
      toggle.setValue(!this.#isDisabled(agent)).onChange((on) => {
        const others = this.#settings.disabledAgents.filter((each) => each !== agent);
        void this.#deps.save('disabledAgents', on ? others : [...others, agent]);
      });
    });
  }

  #tool(tool: ListedTool): SettingRow {
    const { name, description } = tool;
    const plain = Object.hasOwn(t.toolTexts, name) ? t.toolTexts[name] : undefined;
    // The names of tools from servers and notes are the user's own.
    const shown = plain === undefined ? name : sentenceCase(name);
    return {
      name: shown,
      desc: plain ?? firstSentence(description),
      aliases: [name, 'tool', 'permission', 'allow', 'ask', 'off'],
      render: (setting) => this.#permissionButtons(setting, tool, shown),
    };
  }

  #permissionButtons(setting: Setting, listed: ListedTool, shown: string): void {
    const { name: tool, key } = listed;
    const now = this.#permission(listed);
    const group = setting.controlEl.createDiv({
      cls: 'parley-pills',
      attr: { role: 'radiogroup', 'aria-label': shown },
    });
    for (const [permission, words] of PERMISSIONS) {
      const label = group.createEl('label', { cls: 'parley-pill' });
      const input = label.createEl('input', {
        type: 'radio',
        attr: { name: `parley-tool-${tool}`, value: permission },
      });
      input.checked = permission === now;
      label.createSpan({ text: words });
      input.addEventListener('change', () => {
        void this.#deps.save('tools', { ...this.#settings.tools, [key]: permission });
      });
    }
  }
}

function sentenceCase(name: string): string {
  return capitalize(name.replaceAll('_', ' '));
}

function firstSentence(text: string): string {
  return /^[^]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
}
