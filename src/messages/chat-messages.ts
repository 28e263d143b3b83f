/** Text of the panel: header, welcome, message list and SmartHole status. */
import { counted } from './plural';

export const included = (words: string) => `The agent now has your message: ${words}`;
export const pastChats = 'Past chats';
export const editsToReview = 'Edits to review';
export const usage = 'Usage';
export { title as keyboardShortcuts } from './key-messages';
export const changesInNote = 'Parley’s changes to this note';
export const nothingRunning = 'Nothing is running in this chat.';
export const noAnswer = 'There is no answer yet.';
export const noAnswerToCopy = 'There is no answer to copy yet.';
export const answerCopied = 'Answer copied';
export const noRequests = 'Nothing is at work or waiting in other chats.';
export const chatIsEmpty = 'This chat is empty.';
export const chat = 'Chat';
export const settings = 'Settings';
export const newChat = 'New chat';
export const editCount = (count: number) => counted(count, 'edit to review', 'edits to review');
/** @param question shortened */
export const asks = (question: string) => `Parley asks: ${question}`;
/** @param title for example "Delete Harvest 2026?" */
export const needsApproval = (title: string) => `Parley needs your approval: ${title}`;
export const failed = (sentence: string) => `Failed: ${sentence}`;
export const moreActions = 'More';
export const messages = 'Messages';
export const newBelow = 'New messages';
export const jumpToLatest = 'Jump to latest';
export const onOtherDevice = 'This chat is on another device. Reply to continue it here as a copy.';
export const continuedFromEarlier = 'Continued from an earlier chat';
export const otherChatAnswersVoice = 'A voice request is being answered in';
export const reconnectNow = 'Try again now';
export const smartHoleSettings = 'SmartHole settings';
export const loading = 'Loading…';
export const exampleTour = 'What is in this vault? Give me a short tour.';
export const exampleOfNote = (note: string) => `What are the main points of “${note}”?`;
export const exampleChange = 'Add milk to my shopping list.';
export const exampleAddTask = (list: string) => `Add “tidy my desk” to ${list}.`;
export const exampleStartList = 'Start a shopping list with milk and bread.';
export const exampleCreate = 'Create a note called Ideas.';
export const exampleHelp = 'What can you do here?';
export const exampleRecent = 'What did I write about in the last few days?';
export const greeting = 'How can I help with your notes?';
export const keyWorks = 'Your key works. Try one of these:';
export const showExample = 'See an example first';
export const hideExample = 'Hide the example';
export const example = 'Example';
export const exampleCaption = 'Example. No model was asked, and no note of yours was read.';
export const exampleWhy = 'I look at your shopping list.';
export const exampleAnswer =
  'Your list has apples and coffee [@Shopping:1-2]. I proposed **Milk** for your shopping list, at its end.';
export const exampleList = '- Apples\n- Coffee\n';
export const exampleListAfter = `${exampleList}- Milk\n`;
export const exampleReview =
  'In Review, such a change waits in the note and here until you accept it. You can undo every change.';
export const lookAround =
  'You can look around without a key: past chats are behind the clock above.';
export const quickEditHint = 'To change text where you write, use Quick edit:';
export const setHotkey = 'set a hotkey';
export const showAllKeys = 'All keys';
export const promise = 'You see every step, and you can undo every change.';
export const connectToClaude = 'Connect to Claude';
export const getKeyFrom = 'To get started, add an API key from';
export const keyStaysHere = '. It is kept in Obsidian’s secret storage on this computer.';
export const apiKey = 'API key';
export const keyStep = 'Check that you copied the whole key.';
export const checking = 'Checking…';
export const saveAndCheck = 'Save and check';
export const billing = (host: string) =>
  `Requests go to ${host} and are billed to your account there. You can also use your own server:`;
export const openSettings = 'open settings';
export const showPicture = (name: string) => `Show picture: ${name}`;
