/** MCP servers that Parley uses, for the user and the model. */
export const serverNotInUse =
  'Nothing was done: this MCP server is no longer in use on this device.';
export const secretMissing = (name: string) => `There is no secret “${name}” on this device.`;
export const commandMissing = 'It has no command yet.';
export const addressInvalid = 'Its address has to be one such as https://example.com/mcp.';
export const addressInsecure = 'Plain http works to this computer only. Use https.';

export const serverUnusable = (name: string, reason: string) =>
  `The MCP server “${name}” can’t be used. ${reason}`;
export const serverStarting = (name: string) =>
  `The MCP server “${name}” is still starting. Its tools will be available in new chats.`;
export const descriptionsTooLong = (name: string, omitted: string) =>
  `The tool descriptions of the MCP server “${name}” are too long for a chat: the model gets ${omitted}.`;
/** What the model gets instead of all tools. */
export const omittedTools = (shortened: number, count: number, missing: number) =>
  `${shortened} of ${count} in short, ${missing} not at all`;
export const serverDown = (name: string, reason: string) =>
  `The MCP server “${name}” is down. ${reason} Test it in the settings, under MCP.`;

export const closed = 'It was closed.';
export const endedByItself = 'It ended by itself.';
export const tooManyMessages = 'It said more than can be followed, and was let go.';
export const messageTooLarge = 'It said more than 10 MB at once, and was let go.';
export const tooLargeAtOnce = 'More than 10 MB were said at once.';
export const notInTime = 'It did not answer in time.';
export const tokenRefused = 'It refused the token, or wants one.';
export const programMissing = (command: string) =>
  `There is no program “${command}” on this computer, or it is in a folder that your terminal doesn’t search. Install it, or enter its full path as the command.`;
export const programNotAt = (command: string) =>
  `There is no program at “${command}”. Check the path, or enter the name of the program alone.`;
export const programLookedIn = (folders: string) => `Parley looked in ${folders}.`;
export const programForbidden = 'It may not be run: it is no program, or not one of yours.';
export const statusUnknown = (status: number) =>
  `It answered with the status ${status}, as no tool server does.`;
export const notReached = 'It could not be reached.';
export const notUsed = 'It could not be used.';
export const unreachableNow = 'It can no longer be reached.';
export const addressGone = 'It is no longer at its address.';
export const restarted = 'The server was restarted.';
export const serverOutput = (output: string) => `It said: ${output}`;

/** @param why for example "is still starting." */
export const callNotMade = (name: string, why: string) =>
  `The tool server “${name}” ${why} Nothing was done. Go on without it, and say so.`;
export const whileStarting = 'is still starting.';
export const whileDown = (reason: string) => `is down. ${reason}`;
export const callStopped = 'Stopped by the user before it finished.';
export const callFailed = 'It did not work.';
const outcomeUnknown = 'Whether the call did anything is not known.';
export const serverGone = (why: string) => `The server is gone: ${why} ${outcomeUnknown}`;
export const callTimedOut = (quietSeconds: number, callSeconds: number) =>
  `No answer: it said nothing for ${quietSeconds} s, or took more than ${callSeconds} s. The call was cancelled. ${outcomeUnknown}`;
export const answerTooLarge = `Its answer is larger than 10 MB, and was not taken. ${outcomeUnknown}`;
export const serverUnreachable = `The server can't be reached. ${outcomeUnknown}`;
export const serverAnswered = (status: number) =>
  `The server answered with the status ${status}. ${outcomeUnknown}`;
export const progressOf = (progress: number, total: number) => `${progress} of ${total}`;

/** Answers of Parley's own MCP server, which a client may show to its user. */
export const serverFailed = 'Parley could not answer this. Try again.';
export const requestTooLong = 'The request is too long.';
export const servesNoMore = 'Parley no longer serves programs here.';
export const sessionMissing = 'The header Mcp-Session-Id is missing. Begin with initialize.';
export const sessionOver = 'This session is over. Begin a new one with initialize.';
export const tooManyClients = (limit: number) => `${limit} clients are connected already.`;
export const hostRefused = (port: number) =>
  `This server answers to 127.0.0.1:${port} and localhost:${port} only.`;
export const originRefused = 'Pages from elsewhere may not use this server.';
export const pathUnknown = (path: string) => `There is nothing here. Use ${path}.`;
export const methodUnknown = 'Only GET, POST and DELETE mean something here.';
export const tokenWrong =
  'The header "Authorization: Bearer …" with Parley’s token is missing or wrong. The token is in Parley’s settings, under Other programs.';
export const waitsForDecision = (what: string) => `Waits for a decision in Obsidian: ${what}`;
export const callBroke =
  'Something went wrong in Parley. Look at what was done before you try again.';

/** Calls of MCP clients as a chat shows them. */
export const unnamedClient = 'A program';
export const callsBy = (client: string) => `Calls by ${client}`;
export const clientCalled = (client: string, tool: string) => `${client} called ${tool}.`;
