/** Whatever the user opens while answers arrive: the chat on screen is the one that gets the message. */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { reduceAll } from '#model/reducer';
import { ChatState } from '#stores/chat-state';
import { PluginState } from '#stores/plugin-state';
import { pageUi } from '#workbench/gallery/page-ui';
import { Script } from '#workbench/gallery/script';
import { scriptedAgent } from '#workbench/gallery/scripted-agent';
import { cases, CASES_TIMEOUT_MS } from '../cases';
import { manualFrames } from '../components/chat';

const CHATS = ['a', 'b', 'c'] as const;
const chat = fc.constantFrom(...CHATS);
const act = fc.oneof(
  fc.record({ do: fc.constant('open' as const), chat }),
  fc.record({ do: fc.constant('new' as const) }),
  fc.record({ do: fc.constant('send' as const) }),
  fc.record({ do: fc.constant('delete' as const) }),
  fc.record({ do: fc.constant('word' as const), chat }),
  fc.record({ do: fc.constant('line' as const), chat }),
  fc.record({ do: fc.constant('spoken' as const), chat }),
  fc.record({ do: fc.constant('frame' as const) }),
);
/** How many turns of the event loop pass after each act, and how many a reading of a chat takes. */
const steps = fc.array(fc.record({ act, wait: fc.nat(6), reading: fc.nat(4) }), { maxLength: 25 });

async function pass(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await Promise.resolve();
}

describe('A chat panel', { timeout: CASES_TIMEOUT_MS }, () => {
  it('draws the chat that is open, and sends to it, whatever happens meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const scripts = Object.fromEntries(
          CHATS.map((name) => [name, new Script(name).ask('Add milk').step()]),
        );
        const agent = scriptedAgent(Object.values(scripts));
        let reading = 0;
        const read = agent.conversations.read.bind(agent.conversations);
        vi.spyOn(agent.conversations, 'read').mockImplementation(async (id) => {
          await pass(reading);
          return read(id);
        });
        const frames = manualFrames();
        const screen = new ChatState(new PluginState(agent, pageUi()), frames.next);
        const begun = [screen.start()];
        const sent: { readonly text: string; readonly to: Promise<string | null> }[] = [];
        /** The new chat that the user asked for last. */
        let making: Promise<string | null> | null = null;
        const spoken = new Map<string, number>();
        const made = (next: Promise<string | null>) => {
          const settled = next.finally(() => {
            if (making === settled) making = null;
          });
          making = settled;
          return settled;
        };
        const perform = (step: (typeof all)[number]['act']): unknown => {
          const script = 'chat' in step ? scripts[step.chat] : undefined;
          switch (step.do) {
            case 'open':
              making = null;
              return script && screen.open(script.id);
            case 'new':
              return made(screen.newChat());
            case 'send': {
              const text = `Message ${sent.length}`;
              sent.push({ text, to: making ?? Promise.resolve(screen.id) });
              // Without a chat on screen it may begin one.
              const isOpen = making !== null || screen.id !== null;
              const sending = screen.send(text);
              return isOpen ? sending : made(sending.then(() => null));
            }
            case 'delete':
              return screen.id && screen.leave(screen.id);
            case 'word':
              return script?.delta({ type: 'text', text: 'word ' });
            case 'line':
              return script?.say('A line.');
            case 'spoken': {
              if (!script) return undefined;
              const count = (spoken.get(script.id) ?? 0) + 1;
              spoken.set(script.id, count);
              return script.done('Yes.').ask(`Spoken ${count}`, 'voice').step();
            }
            case 'frame':
              return frames.run();
          }
        };
        for (const { act: next, wait, reading: takes } of all) {
          reading = takes;
          begun.push(Promise.resolve(perform(next)).then(() => undefined));
          await pass(wait);
          // What is drawn is nothing yet, or the chat that is open.
          if (screen.conversation) expect(screen.conversation.id).toBe(screen.id);
        }
        await Promise.all(begun);
        frames.run();
        expect(screen.conversation?.id ?? null).toBe(screen.id);
        const script = agent.scripts.find(({ id }) => id === screen.id);
        if (script) {
          expect(screen.conversation).toEqual(reduceAll(script.id, script.events));
        }
        for (const { text, to } of sent) {
          const requests = agent.asked.flatMap(([verb, request]) =>
            verb === 'send' ? [request as { text: string; conversation?: string }] : [],
          );
          const request = requests.find((each) => each.text === text);
          const goal = await to;
          if (goal !== null) expect(request?.conversation).toBe(goal);
        }
        screen.close();
      }),
      cases,
    );
  });
});
