/** Writes what the model and the user read of every tool, and the prompts of a first message, into one file. */
import { writeFileSync } from 'node:fs';
import { contextText, type TurnContext } from '#agent/prompt/context';
import { systemPrompt } from '#agent/prompt/system-prompt';
import { resultText } from '#messages/result-text';
import { DEFAULT_SETTINGS } from '#model/settings';
import { ALL_TOOLS } from '#tools/all-tools';
import { toolSchemas } from '#tools/presentation/presentation';
import { ToolRegistry } from '#tools/registry';
import { runToolCase } from './builders/run-tool-case';
import { TOOL_CASES, type ToolCase } from './builders/tool-cases';

/** Long results are cut here: their shape is what a reader checks. */
const MAX_SHOWN_CHARS = 3_000;

export async function writeToolOutputs(file: string): Promise<number> {
  const sections: string[] = [];
  for (const toolCase of TOOL_CASES) sections.push(await section(toolCase));
  sections.push(...prompts());
  writeFileSync(file, `${sections.join('\n\n')}\n`);
  return TOOL_CASES.length;
}

async function section(toolCase: ToolCase): Promise<string> {
  const { tool, input, settings = {}, before = [] } = toolCase;
  const result = await runToolCase(toolCase);
  const mode = settings.panelMode ? ` [${settings.panelMode}]` : '';
  const after = before.map(([name]) => ` after ${name}`).join('');
  return [
    `=== ${tool} ${JSON.stringify(input)}${mode}${after}`,
    `--- model${result.failed ? ' (failed)' : ''}`,
    shortened(result.text),
    '--- user',
    shortened(resultText(result)),
  ].join('\n');
}

function prompts(): string[] {
  const registry = new ToolRegistry();
  for (const tool of ALL_TOOLS) registry.register(tool);
  const context = {
    now: 'Monday, 23 November 2026 at 09:00',
    limits: { mode: 'review', scope: 'vault', withheld: [] },
    activeNote: 'Lists/Shopping.md',
    attached: { attached: [], linked: [], targets: [], hunks: [] },
    opening: [],
    switchedOff: [],
    retry: null,
    userActions: [],
  } as const satisfies Omit<TurnContext, 'source'>;
  return [
    `=== system prompt\n${systemPrompt(DEFAULT_SETTINGS, null)}`,
    `=== tools\n${toolSchemas(registry, DEFAULT_SETTINGS)
      .map(({ name, description, input }) => `${name}: ${description}\n${JSON.stringify(input)}`)
      .join('\n\n')}`,
    `=== context of a typed message\n${contextText({ ...context, source: 'typed' })}`,
    `=== context of a spoken message\n${contextText({ ...context, source: 'voice' })}`,
    `=== context of a SmartHole text message\n${contextText({ ...context, source: 'text' })}`,
  ];
}

function shortened(text: string): string {
  if (text.length <= MAX_SHOWN_CHARS) return text;
  const half = MAX_SHOWN_CHARS / 2;
  return `${text.slice(0, half)}\n[… ${text.length - MAX_SHOWN_CHARS} characters …]\n${text.slice(-half)}`;
}
