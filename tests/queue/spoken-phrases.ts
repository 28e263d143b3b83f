/**
 * What the spoken phrases do in each state of the app. The table is data: a test checks it, and
 * `npm run phrases` prints it.
 */
import type { CallPart } from '#model/message';
import type { ModelProvider, ModelRequest } from '#ports/model-provider';
import type { Announcement } from '#voice/turn-replies';
import { testClock } from '../builders/fake-clock';
import { answers, call, says, thinkingModel } from '../builders/model-stream';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { eventsOn, makeRig, type Disk, type Posted } from './app-on-disk';

export const PHRASES = {
  'yes, with the word': [
    'Delete it',
    'Delete that one',
    'DELETE IT!',
    'Miss Simone, delete it',
    'Delete it, yes',
    'Yes, delete it',
    'Please delete it',
    'Yes please, delete it now',
    'Simone: delete that',
    'OK, go ahead and delete it',
  ],
  'a bare yes': [
    'Yes',
    'yes please',
    'Yeah.',
    'Sure',
    'OK',
    'go ahead',
    'do it',
    'Of course!',
    'absolutely',
    'YES YES',
  ],
  'a yes by name': [
    'Simone, yes',
    'Simone: yes please',
    'Miss Simone, yes',
    'Yes, Simone',
    'Hey Simone, sure',
    'Simone, go ahead',
    'Simone, do it please',
    'Yes please, Miss Simone',
    'Simone, of course',
    'OK Simone, yes',
  ],
  'yes in another language': [
    'Ja',
    'Simone, ja',
    'Ja, bitte.',
    'Oui',
    'Sí',
    'Simone: sim',
    'Da',
    'Hai!',
    'Claro',
    "D'accord",
  ],
  'yes, with the name of the note': [
    'Delete Old',
    'Simone, delete the Old note',
    'Yes, delete Old',
    'Please delete Old now',
    'Delete Old, Simone',
    'Remove Old',
  ],
  'no, with the name of the note': ['Keep Old', "Don't delete Old", 'No, keep the Old note'],
  'the name of another note, or a slip in it': [
    'Delete Bold',
    'Delete the Gold note',
    'Keep Olga',
    'Delete Ole',
    'Delete at',
    'Keep at',
  ],
  'a slip of transcription': ['The lead it', 'Deleted', 'Dilute it', 'Elite it', 'Yet'],
  'accept an edit': [
    'Accept it',
    'Simone, accept it',
    'Accept all',
    'Yes, accept it please',
    'Apply the change',
    'Accept everything, Simone',
  ],
  'reject it': ['Reject it', 'Simone, reject all'],
  'reject an edit': ['Discard that', 'Reject the edit', 'Simone, discard it please'],
  'hear it': ['Read it to me', 'Simone, accept it?'],
  'hear the edits': ['Read the edits', 'What would change?'],
  'words that may just end a talk': [
    'Simone, okay thanks',
    'Okay, thank you',
    'Simone, fine',
    'Simone, right',
    'Miss Simone, you can',
    'All right, Simone',
    'alright then',
    'Simone, correct',
    'Simone, you may',
    'OK OK',
  ],
  no: [
    'No',
    'no thanks',
    'Nope.',
    'Keep it',
    'Simone, keep it',
    "No, don't delete it",
    'Keep that one',
    'Do not delete it!',
    'Miss Simone, leave it alone',
    'never mind',
  ],
  'a question about it': [
    'Delete it?',
    'Simone, delete it?',
    'yes?',
    'Should I delete it?',
    'Can you delete it?',
    'Delete what?',
    'Should I keep it?',
    'Really delete it?',
    'Which one?',
    'Is it done?',
  ],
  'a sentence that only contains the words': [
    'I said delete it yesterday and nothing happened',
    'Write down that I should delete it tomorrow',
    'Tell Anna yes, she can delete it',
    'Add delete it to my todo list',
    'Remind me to say yes to the invitation',
    'My wife says yes please to more cake',
    'Note that Bob will delete it on Friday',
    'Put yes please on the party playlist',
    'What does delete it mean in French',
    'Find the note that says keep it simple',
  ],
  'neither yes nor no': [
    'No, delete it',
    'Yes, no',
    'maybe',
    'Maybe later',
    'hmm',
    "I don't know",
    'wait a moment',
    'not sure',
    'Simone',
    'hold on a second',
  ],
  undo: [
    'Undo that',
    'Simone, undo that',
    'Please undo it',
    'undo my last request',
    'Take that back.',
    'Can you undo that?',
    'Hey Simone, revert that',
    'UNDO',
    'Undo what you just did',
    'Roll it back, please',
  ],
  'undo the last change': [
    'Undo the last change',
    'Simone, undo the last change',
    'Please undo your last change',
    'undo last change',
    'Undo the last edit',
    'Revert the last change',
    'Hey Simone, revert your last change',
    'Roll back the last change',
    'Can you undo the last change?',
    'UNDO THE LAST CHANGE!',
  ],
  'what did you do': [
    'What did you do?',
    'Simone, what did you do?',
    'what did you just do',
    'What have you changed?',
    'What changed?',
    'Tell me what you did',
    'Hey Simone, what happened?',
    'what was your last change',
    'Show me what you changed, please',
    'What did you change?',
  ],
  'what is waiting': [
    'What is waiting?',
    "What's waiting?",
    'Simone, what is waiting for me?',
    'what are you waiting for',
    "What's pending?",
    'Is anything waiting?',
    'What is in the queue?',
    'Miss Simone, what are you doing?',
    'Status',
    'what are you working on',
  ],
  stop: [
    'Stop',
    'Simone, stop',
    'stop it',
    'Please stop',
    'STOP!',
    'Hey Simone, stop that now',
    'abort',
    'Stop working',
    'cancel the request',
    "That's enough",
  ],
  'stop everything': ['Stop everything', 'Simone, cancel all requests', 'please stop them all'],
  continue: [
    'Continue',
    'Simone, continue',
    'go on',
    'Keep going',
    'carry on please',
    'Resume',
    'please continue',
    'Hey Simone, go on with it',
    'Continue, Miss Simone',
    'CONTINUE.',
  ],
  'a short request': [
    'Add milk',
    'Add eggs to the list',
    'Delete the Ideas note',
    'Remove butter from the list',
    'Keep a journal entry',
    'Undo the heading in Garden',
    'Stop the newsletter reminder',
    'Note: call Bob',
    'Find my passport number',
    'Cancel the dentist in my diary',
  ],
  'a request like a choice': [
    'Paint the fence blue',
    'Create a red folder',
    'Make a list of blue things',
    'Read the Red note',
    'Write about the colour red',
    'Put blue cheese on my shopping list',
    'Add red wine to the shopping list',
    'Search for blue whale',
    'Change the colour in Garden',
    'Move the blue notes to Archive',
  ],
  'a question of its own': [
    'What is on my shopping list?',
    'When is the meeting with Anna?',
    'Who is Bob?',
    'How many eggs do I need?',
    'Where did I put my passport?',
    "What's the weather note about?",
    'Which books did I read this year?',
    'Why did I write the Ideas note?',
    'Do I have milk?',
    'Is the report finished?',
  ],
} as const;

export const STATES = [
  'nothing open',
  'question with choices',
  'free question',
  'deletion announced',
  'deletion not announced',
  'not paired',
  'two deletions announced',
  'deletion, then question',
  'running turn',
  'edit to review',
] as const;

export type PhraseState = (typeof STATES)[number];

/** What a phrase did, as the user notices it. */
export type PhraseOutcome =
  | 'deleted'
  | 'kept'
  | 'answered'
  | 'answered, perhaps a request'
  | 'new request'
  | 'joined the running turn'
  | 'phrases repeated'
  | 'sent to Obsidian'
  | 'edit accepted'
  | 'edit rejected'
  | 'edit read'
  | 'undone'
  | 'told that nothing is to be undone'
  | 'changes listed'
  | 'waiting listed'
  | 'stopped'
  | 'nothing to stop';

const OPENERS: Readonly<Record<PhraseState, readonly string[]>> = {
  'nothing open': [],
  'question with choices': ['Ask with choices'],
  'free question': ['Ask freely'],
  'deletion announced': ['Delete the old note'],
  'deletion not announced': ['Delete the old note'],
  'not paired': ['Delete the old note'],
  'two deletions announced': ['Delete the old note', 'Delete the draft of Anna'],
  'deletion, then question': ['Delete the old note', 'Show me the colours'],
  'running turn': ['Think slowly'],
  // The change that comes first in every state is proposed in this one.
  'edit to review': [],
};

const CHOOSE = call('ask_user', { question: 'Which colour?', choices: ['Blue', 'Red'] });

const CALLS: Readonly<Record<string, CallPart>> = {
  'Change a note': call('edit_file', {
    path: 'List.md',
    edits: [{ position: 'end', content: 'More.' }],
  }),
  'Ask with choices': CHOOSE,
  'Show me the colours': CHOOSE,
  'Ask freely': call('ask_user', { question: 'What should it say?' }),
  'Delete the old note': call('delete', { path: 'Old.md' }),
  'Delete the draft of Anna': call('delete', { path: 'Anna.md' }),
};

/** Thinks slowly until it is released. */
function modelUntil(released: Promise<void>): ModelProvider {
  const wordsOf = ({ history }: ModelRequest) => {
    const last = history.at(-1);
    return last?.role === 'user' ? (last.texts.at(-1) ?? '') : '';
  };
  const quick = thinkingModel((request) => {
    const made = CALLS[wordsOf(request)];
    return made ? answers([made]) : says('All right.');
  });
  return {
    async *stream(request, signal) {
      if (wordsOf(request) === 'Think slowly') {
        const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve));
        await Promise.race([released, stopped]);
        if (signal.aborted) return;
      }
      yield* quick.stream(request, signal);
    },
  };
}

export interface PhraseResult {
  readonly outcome: PhraseOutcome;
  readonly isDeleted: boolean;
  /** Conversations in which nothing was asked of the model and nothing was answered. */
  readonly emptyConversations: number;
  /** Notifications for the phrase. */
  readonly told: readonly Announcement[];
}

/** Says the phrase in a new app in this state. SmartHole removes a name and comma at the start. */
export async function sayIn(state: PhraseState, phrase: string): Promise<PhraseResult> {
  const posted = new Map<string, Posted>();
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const base: Disk = {
    store: memoryStore(),
    vault: tinyVault({ 'Old.md': 'Old.\n', 'Anna.md': 'Anna.\n', 'List.md': 'List.\n' }),
    clock: testClock(),
    model: modelUntil(released),
    isPaired: state !== 'not paired',
    settings: { smartHoleMode: state === 'edit to review' ? 'review' : 'apply' },
  };
  const disk: Disk =
    state === 'deletion not announced'
      ? {
          ...base,
          voice: {
            post: async (ids, said) =>
              void posted.set(`${ids.at(-1)} ${said.key}`, { ...said, at: disk.clock.now() }),
            drop: async () => undefined,
            shownFor: () => null,
          },
        }
      : { ...base, posted };
  const rig = makeRig(disk);
  await rig.load();
  await rig.say('m1', 'Change a note');
  await rig.idle();
  await disk.clock.advance(10_000);
  for (const [at, opener] of OPENERS[state].entries()) {
    await rig.say(`m2-${at}`, opener);
    await rig.idleOrWaiting();
    await disk.clock.advance(10_000);
  }
  const turnsBefore = eventsOn(disk, 'turn-start').length;
  const direct = /^simone[,:]\s*(?=\S)/i.exec(phrase);
  await rig.say('m3', phrase.slice(direct?.[0].length ?? 0), { directRouted: direct !== null });
  await rig.idleOrWaiting();
  release();
  await rig.idle();
  const told = [...posted].flatMap(([key, said]) => (key.startsWith('m3 ') ? [said] : []));
  const result = {
    outcome: outcomeOf(disk, turnsBefore, told),
    isDeleted: !disk.vault.texts.has('Old.md') || !disk.vault.texts.has('Anna.md'),
    emptyConversations: emptyConversations(disk),
    told,
  };
  void rig.runner.close();
  return result;
}

function outcomeOf(disk: Disk, turnsBefore: number, told: readonly Announcement[]): PhraseOutcome {
  const decided = eventsOn(disk, 'interaction-end').map(({ resolution }) => resolution);
  const [resolution] = decided;
  if (resolution?.kind === 'choice') return resolution.choice === 'delete' ? 'deleted' : 'kept';
  if (resolution?.kind === 'answer') {
    return resolution.soundsLikeRequest ? 'answered, perhaps a request' : 'answered';
  }
  if (eventsOn(disk, 'steer-join').length > 0) return 'joined the running turn';
  const [edit] = eventsOn(disk, 'edits-decide').flatMap(({ decisions }) => decisions);
  if (edit) return edit.choice === 'accept' ? 'edit accepted' : 'edit rejected';
  const begun = eventsOn(disk, 'turn-start').slice(turnsBefore);
  const [own] = begun;
  if (own && own.model !== '') return 'new request';
  if (eventsOn(disk, 'turn-end').some(({ end }) => end.kind === 'stopped')) return 'stopped';
  if (eventsOn(disk, 'change-undo').length > 0) return 'undone';
  const said = told[0]?.reply;
  if (said?.kind === 'waiting') return said.byVoice ? 'phrases repeated' : 'sent to Obsidian';
  const reply = said?.kind === 'end' ? said.end.reply : '';
  if (/^Voice decisions are off/.test(reply)) return 'sent to Obsidian';
  if (/^Add “More” to List\./.test(reply)) return 'edit read';
  if (/^Nothing is running/.test(reply)) return 'nothing to stop';
  if (/^Nothing to undo/.test(reply)) return 'told that nothing is to be undone';
  if (/(?:added to List|edits? to List)/.test(reply)) return 'changes listed';
  if (/question|approval|Working on|Nothing is waiting|edits to review/.test(reply))
    return 'waiting listed';
  throw new Error(`No outcome is known for the reply "${reply}".`);
}

function emptyConversations(disk: Disk): number {
  const begun = eventsOn(disk, 'conversation-start').map(({ conversation }) => conversation);
  const used = new Set(eventsOn(disk, 'turn-start').map(({ conversation }) => conversation));
  return begun.filter((id) => !used.has(id)).length;
}

/** The table as text: a row for each phrase, a column for each state. */
export async function phraseTable(): Promise<string> {
  const lines = [['phrase', ...STATES].join(' | ')];
  for (const [group, phrases] of Object.entries(PHRASES)) {
    lines.push(`# ${group}`);
    for (const phrase of phrases) {
      const cells: string[] = [];
      for (const state of STATES) cells.push((await sayIn(state, phrase)).outcome);
      lines.push([phrase, ...cells].join(' | '));
    }
  }
  return lines.join('\n');
}
