/** A long, varied conversation: short and long answers, searches, changes, plans and questions. */
import { Script } from '#workbench/gallery/script';
import { Writer } from '../streaming/answer';

const NOTES = ['Lists/Shopping.md', 'Journal/2026-11-20.md', 'Projects/Lisbon trip.md'];

/** Each turn adds two messages. */
export function longConversation(turns: number, device: string): Script {
  const writer = new Writer(5);
  const script = new Script('long', Date.now() - turns * 10_000, device);
  for (let at = 0; at < turns; at += 1) {
    script.ask(`${writer.words(3 + ((at * 7) % 20))}?`, at % 9 === 4 ? 'voice' : 'typed').step();
    TURNS[at % TURNS.length]?.(script, writer, at);
  }
  return script;
}

const TURNS: readonly ((script: Script, writer: Writer, at: number) => void)[] = [
  (script, writer) => answer(script, writer.paragraph(2)),
  (script, writer) => answer(script, writer.paragraph(4) + writer.code(24) + writer.paragraph(3)),
  (script, writer) => {
    script.think(writer.words(60)).say('I look for it first.');
    search(script, writer, 3);
    script.stepEnd().step();
    answer(script, writer.paragraph(3) + writer.list(9));
  },
  (script, writer, at) => {
    script.say('I put it into the list.');
    change(script, writer, at, 1 + (at % 3));
    script.stepEnd().step();
    answer(script, writer.paragraph(1));
  },
  (script, writer) => answer(script, writer.paragraph(3) + writer.table(12) + writer.callout()),
  (script, writer, at) => {
    const steps = ['Find it', 'Change it', 'Look again'];
    script.plan(...steps.map((text) => ({ text, state: 'done' as const })));
    search(script, writer, 6);
    change(script, writer, at, 2);
    script.stepEnd().step();
    answer(script, writer.section());
  },
  (script, writer) => {
    const question = { kind: 'question' as const, text: 'Which one?', allowFreeText: true };
    const waiting = script.hold(
      'ask_user',
      { question: 'Which one?' },
      { ...question, choices: ['This', 'That'] },
    );
    script.resolve(waiting, { kind: 'answer', text: writer.words(4), via: 'voice' });
    script.finish(waiting.call, { text: 'The user said next: …', failed: false }).step();
    answer(script, writer.paragraph(2) + writer.quote());
  },
  (script, writer) => {
    script
      .say(writer.paragraph(2))
      .stepEnd()
      .end({ kind: 'limited', reason: 'steps', reply: 'The limit was met.' });
  },
];

function answer(script: Script, text: string): void {
  script.say(text).done(text);
}

function search(script: Script, writer: Writer, calls: number): void {
  for (let at = 0; at < calls; at += 1) {
    const path = NOTES[at % NOTES.length] ?? '';
    if (at % 2 === 0) {
      const details = { kind: 'search', matches: 12, files: 4 } as const;
      script.call('search_files', { query: writer.words(2) }, writer.words(120), { details });
    } else {
      const details = { kind: 'read', paths: [path] } as const;
      script.call('read_file', { path }, writer.words(300), { details });
    }
  }
}

function change(script: Script, writer: Writer, turn: number, notes: number): void {
  for (let at = 0; at < notes; at += 1) {
    const path = NOTES[at % NOTES.length] ?? '';
    const made = {
      ...{ change: `change-${turn}-${at}` as never, kind: 'write' as const, path },
      ...{ added: 2, removed: at },
    } as const;
    script.call('edit_file', { path, edits: [] }, `Changed. ${writer.words(20)}`, {
      details: { kind: 'changes', changes: [made] },
    });
  }
}
