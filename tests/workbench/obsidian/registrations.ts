import type {
  Command,
  MarkdownPostProcessor,
  MarkdownPostProcessorContext,
  ObsidianProtocolHandler,
  PluginSettingTab,
  ViewCreator,
} from 'obsidian';
import type { App } from 'obsidian-test-mocks/obsidian';

export type CodeBlockProcessor = (
  source: string,
  el: HTMLElement,
  context: MarkdownPostProcessorContext,
) => unknown;

export interface RibbonIcon {
  icon: string;
  title: string;
  el: HTMLElement;
}

/** What plugins have registered with the app, for a shell or a test to show. */
export class Registrations {
  readonly views = new Map<string, ViewCreator>();
  readonly commands = new Map<string, Command>();
  readonly ribbonIcons = new Set<RibbonIcon>();
  readonly statusBarItems = new Set<HTMLElement>();
  readonly settingTabs = new Set<PluginSettingTab>();
  readonly editorExtensions = new Set<unknown>();
  readonly postProcessors = new Set<MarkdownPostProcessor>();
  readonly codeBlockProcessors = new Map<string, CodeBlockProcessor>();
  readonly protocolHandlers = new Map<string, ObsidianProtocolHandler>();
}

export function registrationsOf(app: App): Registrations {
  return (app as App & { registrations: Registrations }).registrations;
}
