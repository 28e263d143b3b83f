/**
 * Runs the tool calls of the agent loop: looks up the tool, checks permission and input, asks for
 * approval, runs. Every failure becomes a result.
 */
import { asAttachedData, attachedContext, linkedFrom } from './reader/attached';
import type { Readiness, ToolCaller } from '#ports/tool-caller';
import { attachmentsOf, isReply, newestActiveNote } from '#model/steering';
import { type Attachment, attachedPath, hunkAmong } from '#model/attachment';
import type { ResolvedInteraction, ToolCall, Turn } from '#model/conversation';
import type { ConversationId } from '#model/ids';
import type { RequestSource } from '#model/request';
import type { CallPart, CallResult, ChangeNote } from '#model/message';
import type { Passage } from '#model/passage';
import type { Mode } from '#model/setting-choices';
import type { SourceLines } from '#text/source-marks';
import type { Settings } from '#model/settings';
import { allows, type Resolution } from '#model/interaction';
import { toolWords } from '#messages/tool-words';
import { decide, type Decision } from '#policy/decide';
import { addressFacts } from '#policy/given-addresses';
import { Slices } from '#ports/slices';
import { approvedPaths, filesOf, type PlannedEffect } from '#policy/planned-effect';
import { pathAfter, writtenBy } from '#policy/scope';
import { resolveCall, unknownTool } from './presentation/resolve-call';
import { notePassage, outsidePassage } from './shown-passages';
import { stepKey, type SeenTurn } from './printed-lines';
import { permissionKey, permissionOf, type ToolRegistry } from './registry';
import { fileErrorsAsResults, problem, text, type Tool } from './tool';
import { validInput } from './input-validation';
import { toolApproval } from './tool-approval';
import {
  changesOf,
  type TurnScope,
  capabilitiesOf,
  type CallOrigins,
  type ToolContexts,
} from './tool-context';

export interface ToolExecutorDeps {
  readonly registry: ToolRegistry;
  readonly toolContexts: ToolContexts;
  settings(): Settings;
  /** Lets the tool run without approval from now on. */
  allowAlways(tool: string): Promise<void>;
}

/** The current state of the conversation that the calls belong to. */
export interface CallingConversation {
  readonly id: ConversationId;
  mode(turn: Turn): Mode;
  /** All its changes so far, in order. */
  changes(): readonly ChangeNote[];
  /** What the model still sees of it; used after a restart. */
  seen(): readonly SeenTurn[];
}

/**
 * Agents whose tools run in the last step. Others only return information, which no further step
 * could use.
 */
const LAST_STEP_AGENTS: ReadonlySet<string> = new Set([
  'note_editor',
  'vault_manager',
  'conversation',
]);

const TOO_LONG =
  'Nothing was changed: this needs the user’s approval, and it is too long to be shown in full. Make smaller changes, each in a call of its own.';

export class ToolExecutor implements ToolCaller {
  readonly #deps: ToolExecutorDeps;
  readonly #conversation: CallingConversation;

  constructor(deps: ToolExecutorDeps, conversation: CallingConversation) {
    this.#deps = deps;
    this.#conversation = conversation;
  }

  resolve(part: CallPart): CallPart {
    return resolveCall(part, this.#deps.registry);
  }

  effect(name: string): Tool['effect'] {
    return this.#deps.registry.get(name)?.effect ?? 'talk';
  }

  runsInLastStep(name: string): boolean {
    const tool = this.#deps.registry.get(name);
    return tool === undefined || LAST_STEP_AGENTS.has(tool.agent);
  }

  async ready(call: ToolCall, turn: Turn): Promise<Readiness> {
    const checked = this.#check(call, turn);
    if (!checked.ok) return { kind: 'answered', result: checked.result };
    const { tool, input, asks, changes } = checked;
    const question = tool.question?.(input);
    if (question) return { kind: 'asks', draft: question };
    const plan = changes ? await this.#plan(checked, call, turn) : NO_EFFECTS;
    if ('kind' in plan) return plan;
    const { planned, failed } = plan;
    const notes = filesOf(planned).size;
    const touches = planned.flatMap(({ effect }) =>
      effect.kind === 'move' ? [effect.path, effect.to] : [effect.path],
    );
    const many = decide({ about: 'call', notes });
    const isMany = many.answer === 'ask';
    const why = [
      ...checked.why,
      ...(isMany ? many.reasons : []),
      ...planned.flatMap((each) => each.reasons),
      ...(await this.#whyPage(tool, input, call)),
      ...(await this.#whyOpen(tool, input, call, turn)),
    ];
    if (!asks && why.length === 0) {
      return { ...this.#runs(tool, input, call, turn, null), touches };
    }
    const { context, delivered } = await this.#dryRun(call, turn);
    const own = tool.approvalDraft
      ? await fileErrorsAsResults(() => tool.approvalDraft!(input, context))
      : null;
    if (own && 'failed' in own) return { kind: 'answered', result: own, delivered };
    const isApply = this.#conversation.mode(turn) === 'apply';
    const draft = await toolApproval(
      {
        ...{ tool, input: call.part.input, planned, failed, own },
        ...{ isSetToAsk: asks, isMany, isApply, reasons: why },
      },
      new Slices(context.clock),
    );
    return draft
      ? { kind: 'asks', draft, touches }
      : { kind: 'answered', result: problem(TOO_LONG, 'not-allowed'), delivered };
  }

  async decided(
    call: ToolCall,
    turn: Turn,
    { interaction, resolution }: Omit<ResolvedInteraction, 'time'>,
  ): Promise<Readiness> {
    if (interaction.kind === 'question') {
      const result = answered(resolution);
      return { kind: 'answered', result: await this.#withAttached(result, resolution, call, turn) };
    }
    if (!allows(resolution)) {
      const result = notAllowed(interaction.tool, resolution);
      return { kind: 'answered', result: await this.#withAttached(result, resolution, call, turn) };
    }
    const tool = this.#deps.registry.get(interaction.tool);
    if (tool && permissionKey(tool) !== (interaction.key ?? interaction.tool)) {
      return { kind: 'answered', result: problem(anotherTool(interaction.tool), 'unavailable') };
    }
    if (resolution.kind === 'choice' && resolution.choice === 'always') {
      await this.#deps.allowAlways(interaction.tool);
    }
    const checked = this.#check(call, turn);
    if (!checked.ok) return { kind: 'answered', result: checked.result };
    const { allows: approved } = interaction;
    const touches = approvedPaths(approved ?? []);
    return {
      ...this.#runs(checked.tool, checked.input, call, turn, approved ?? null),
      touches,
    };
  }

  async passage(mark: SourceLines, turn: Turn, step: number): Promise<Passage | null> {
    const reader = { conversation: this.#conversation.id, step: stepKey(turn.id, step) };
    const { toolContexts } = this.#deps;
    await toolContexts.restoreShown(reader, () => this.#conversation.seen());
    const { notes } = toolContexts.readOnlyContext(reader);
    const shown = notes.passage(mark.source, mark.first, mark.last);
    if (!shown) return outsidePassage(mark, this.#conversation.seen(), reader.step);
    // It may have been excluded since it was shown.
    if ((await toolContexts.visiblePath(shown.path)) === null) return null;
    return notePassage(mark, shown, toolContexts.createdAt(shown.path));
  }

  async #withAttached(
    result: CallResult,
    resolution: Resolution,
    call: ToolCall,
    turn: Turn,
  ): Promise<CallResult> {
    const attachments = 'attachments' in resolution ? resolution.attachments : undefined;
    if (!attachments) return result;
    const reader = { conversation: this.#conversation.id, step: stepOf(call, turn) };
    const { sections } = await attachedContext(
      attachments,
      this.#deps.toolContexts.readOnlyContext(reader),
    );
    const texts = sections.map((section) => asAttachedData(section.text));
    const shown = sections.flatMap((section) => section.shown);
    return {
      ...result,
      text: [result.text, ...texts].join('\n\n'),
      ...(shown.length > 0 ? { shown } : {}),
    };
  }

  /** What a call would do, from a dry run; or the answer if it would fail or is refused. */
  async #plan(
    { tool, input }: Extract<Checked, { ok: true }>,
    call: ToolCall,
    turn: Turn,
  ): Promise<CallPlan | Readiness> {
    const { plan, context, delivered } = await this.#dryRun(call, turn);
    const result = await fileErrorsAsResults(() => tool.run(input, context));
    const { details } = result;
    const failed = details?.kind === 'changes' ? (details.failed ?? []) : [];
    if (!result.failed) return { planned: plan.effects, failed };
    const refusal = plan.refusal ? marked(result, plan.refusal) : result;
    return { kind: 'answered', result: refusal, delivered };
  }

  async #dryRun(call: ToolCall, turn: Turn) {
    return this.#deps.toolContexts.dryRunContext(await this.#from(call, turn));
  }

  async #whyPage(tool: Tool, input: unknown, { id }: ToolCall): Promise<readonly string[]> {
    const url = tool.pageUrl?.(input);
    if (url === undefined) return [];
    const { toolContexts } = this.#deps;
    const turns = await toolContexts.turnsOf(this.#conversation.id);
    const own = await toolContexts.signedTurnsOf(this.#conversation.id);
    const decision = decide({ about: 'address', ...addressFacts(url, turns, id, own) });
    return decision.answer === 'ask' ? decision.reasons : [];
  }

  async #whyOpen(
    tool: Tool,
    input: unknown,
    call: ToolCall,
    turn: Turn,
  ): Promise<readonly string[]> {
    const raw = tool.opens?.(input);
    if (raw === undefined) return [];
    const { vault } = (await this.#dryRun(call, turn)).context;
    const found = await vault.find(raw, 'file');
    if (!found.ok) return [];
    const { path } = found.value.entry;
    const written = writtenBy(changesOf([turn]));
    const shown = [path, ...this.#deps.toolContexts.linkedFrom(path)];
    const decision = decide({ about: 'open', isWritten: shown.some((each) => written.has(each)) });
    return decision.answer === 'ask' ? decision.reasons : [];
  }

  #check(call: ToolCall, turn: Turn): Checked {
    const { name } = call.part;
    const mode = this.#conversation.mode(turn);
    const { registry, settings } = this.#deps;
    const tool = registry.get(name);
    if (!tool)
      return {
        ok: false,
        result: problem(unknownTool(call.part, registry.enabledTools(settings())), 'unknown-tool'),
      };
    const permission = permissionOf(tool, settings());
    const valid = validInput(tool, call.part, registry);
    const isRead = valid.ok && tool.reads?.(valid.input) === true;
    const changes = tool.effect === 'change' && !isRead;
    const decision = decide({
      about: 'tool',
      tool: name,
      changes,
      ...(tool.effect === 'outside' ? { outside: tool.readsOnly ? 'claims-to-read' : 'acts' } : {}),
      navigates: tool.navigates ?? false,
      permission,
      mode,
      capabilities: capabilitiesOf(settings()),
      isAboutHunk: isReply(turn.request),
    });
    if (decision.answer === 'refuse') {
      return { ok: false, result: marked(problem(decision.reason, 'not-allowed'), decision) };
    }
    if (!valid.ok) return { ok: false, result: problem(valid, 'invalid-input') };
    return {
      ok: true,
      tool: tool as unknown as Tool,
      input: valid.input,
      changes,
      asks: decision.answer === 'ask',
      why: decision.answer === 'ask' ? decision.reasons : [],
    };
  }

  #runs(
    tool: Tool,
    input: unknown,
    call: ToolCall,
    turn: Turn,
    approved: readonly string[] | null,
  ): Extract<Readiness, { kind: 'runs' }> {
    return {
      kind: 'runs',
      run: async (signal, reportProgress) => {
        const verb = toolWords(call.part.name).doing;
        const notify = (words: string, doing = verb) => reportProgress(`${doing} ${words}`);
        const from = { ...(await this.#from(call, turn)), notify };
        const { context, delivered } = this.#deps.toolContexts.context(from, signal, approved);
        const result = await fileErrorsAsResults(() => tool.run(input, context));
        // A change finishes after a stop, but the result of any other call is lost.
        const lines = tool.effect === 'change' || !signal.aborted ? delivered() : {};
        return { ...result, text: `${result.text}${context.vault.postscript()}`, ...lines };
      },
    };
  }

  async #from(call: ToolCall, turn: Turn): Promise<CallOrigins> {
    const { id } = this.#conversation;
    const { source } = turn.request;
    const origin = { conversation: id, turn: turn.id, call: call.id, tool: call.part.name, source };
    const own = changesOf([turn]);
    const attachments = attachmentsOf(turn).map((each) =>
      'path' in each ? { ...each, path: pathAfter(each.path, own) } : each,
    );
    const scope = await this.#currentScope(turn, attachments);
    const step = stepOf(call, turn);
    const { toolContexts } = this.#deps;
    await toolContexts.restoreShown({ conversation: id, step }, () => this.#conversation.seen());
    return { origin, step, scope, attachments };
  }

  /** @param attachments by their current paths */
  async #currentScope(turn: Turn, attachments: readonly Attachment[]): Promise<TurnScope> {
    const own = changesOf([turn]);
    const isContext = this.#deps.settings().editableScope === 'context';
    const context = this.#deps.toolContexts.readOnlyContext(null);
    const linked = isContext ? await linkedFrom(attachments, context) : [];
    const activeNote = newestActiveNote(turn);
    return {
      mode: this.#conversation.mode(turn),
      hunk: hunkAmong(turn.request.attachments),
      activeNote: activeNote === null ? null : pathAfter(activeNote, own),
      attached: [
        ...attachments.flatMap((each) => attachedPath(each) ?? []),
        ...linked.map(({ path }) => path),
      ],
      changes: this.#conversation.changes(),
    };
  }
}

/** A call that is not part of a step counts as a step of its own. */
function stepOf(call: ToolCall, turn: Turn): string {
  const step = turn.steps.find(({ calls }) => calls.some((each) => each.id === call.id));
  return step ? stepKey(turn.id, step.index) : call.id;
}

interface CallPlan {
  readonly planned: readonly PlannedEffect[];
  /** What it can't change of that which it names. */
  readonly failed: readonly string[];
}

const NO_EFFECTS: CallPlan = { planned: [], failed: [] };

type Checked =
  | {
      ok: true;
      tool: Tool;
      input: unknown;
      /** Whether it may change the vault. */
      changes: boolean;
      asks: boolean;
      why: readonly string[];
    }
  | { ok: false; result: CallResult };

/** Adds the rule that refused the call, for the UI. */
function marked(result: CallResult, { by }: Extract<Decision, { answer: 'refuse' }>): CallResult {
  return by === 'path' ? result : { ...result, details: { kind: 'refused', by } };
}

function answered(resolution: Resolution): CallResult {
  switch (resolution.kind) {
    case 'answer':
      return text(
        `${saidNext(resolution.text, resolution.via)}\n${resolution.soundsLikeRequest ? LIKE_REQUEST : MAYBE_REQUEST}`,
      );
    case 'expired':
      return problem('The user did not answer in time.', 'no-answer');
    default:
      return problem('Not answered: the turn went on without it.', 'no-answer');
  }
}

const MAYBE_REQUEST = '(Treat it as the answer if it is one, and otherwise as a new request.)';
const LIKE_REQUEST =
  '(It sounds like a new request and not like the answer. If it is one, carry it out, then finish the earlier request by a guess that you name, or say that it is not done.)';

function saidNext(words: string, via: RequestSource | 'click'): string {
  const spoken = via === 'voice' ? ' (spoken: perhaps misheard)' : '';
  return `The user said next${spoken}: ${words}`;
}

function anotherTool(name: string): string {
  return `Nothing was done: ${name} now belongs to another server than the one the user was asked about. Say so. If the call is still wanted, make it again; the user is then asked again.`;
}

function notAllowed(tool: string, resolution: Resolution): CallResult {
  switch (resolution.kind) {
    case 'choice': {
      const reason = resolution.reason?.trim();
      if (reason && resolution.via !== undefined) {
        return declined(
          `The user answered the request to run ${tool} with something else, which denies it. Nothing was changed. Do not try another way.\n${saidNext(reason, resolution.via)}\n(Treat it as the reason if it is one, and otherwise as a new request.)`,
        );
      }
      return declined(
        `The user denied ${tool}${reason ? `: ${reason.replace(/(?<![.!?…])$/, '.')}` : '.'} Nothing was changed. Do not try another way.`,
      );
    }
    case 'expired':
      return problem(
        `The user did not decide on ${tool} in time. Nothing was changed.`,
        'no-answer',
      );
    default:
      return declined(
        `The user did not decide on ${tool} but said something else. Nothing was changed.`,
      );
  }
}

/** Not an error: the call did not run because the user chose so. */
function declined(words: string): CallResult {
  return { ...problem(words), details: { kind: 'declined' } };
}
