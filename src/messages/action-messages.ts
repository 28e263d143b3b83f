/** Refusals of actions that the panel, a command or the headless host asked for. */
export const emptyRequest = 'There’s nothing to send. The message is empty.';
export const requestTooLong = (length: number, limit: number) =>
  `The message is too long: ${length} characters. The limit is ${limit}.`;
export const titleEmpty = 'A title needs at least one character.';
export const titleTooLong = (limit: number) => `A title can have at most ${limit} characters.`;
export const chatHasOpenTurn = 'A request is running in this chat. Stop it first.';
export const chatHasQueuedRequest =
  'A request for this chat is still queued. Wait for it, or discard it.';
export const noteUnreadable = 'This note can’t be read.';
export const chatGone = 'This chat was deleted permanently.';
export const messageGone = 'This message no longer exists.';
export const turnIsOpen = 'This request is still running. Stop it first.';
export const appCannotBeAsked = 'This call came from an MCP client, so you can’t regenerate it.';
export const unknownChat = (id: string) => `There is no conversation ${id}.`;
export const otherDevicesChat = 'This chat belongs to another device and can only be read here.';
export const unknownMode = (mode: string) => `There is no mode ${mode}.`;
export const editMissing = 'Say which edit to change.';
export const editNotPending = 'This edit is no longer pending.';
export const answerEmpty = 'An answer needs text or a choice.';
export const noOpenQuestion = 'No question is open.';
export const severalQuestions = (ids: string) => `Several questions are open. Say which: ${ids}.`;
export const approvalChoices = (choices: string) => `This approval takes ${choices}.`;
export const asksAgain = 'It asks again.';
export const inputNotObject = 'The input of a tool is a JSON object.';
export const onlyAgentAsks = 'A question needs a conversation; it can only be asked by the agent.';
export const nothingRunning = 'Nothing is running.';
export const questionChoices = (choices: string) => `This question takes one of: ${choices}.`;
export const dayCostLimit =
  'The daily cost limit has been reached. Raise it, or try again tomorrow.';
export const noNotesToDescribe = 'There are no notes to describe yet.';
export const questionClosed = 'This question is no longer open.';
export const approvalClosed = 'This approval is no longer open.';
export const alreadyPaused = 'The request is already paused.';
export const waitingForYou = 'The request is already waiting for you.';
export const alreadyContinued = 'This chat has already been continued.';
export const nothingPaused = 'Nothing is paused.';
export const noPendingEdit = (note?: string) =>
  `There are no edits to review${note === undefined ? '' : ` in ${note}`}.`;
export const onlyForeignEdits =
  'All edits to review here are from another device. Open the note or the list of edits to decide them.';
export const notAChoice = (answer: string, choices: string) =>
  `"${answer}" is none of the choices: ${choices || 'this question has none'}.`;
