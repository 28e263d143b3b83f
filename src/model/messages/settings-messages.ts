/** Text of the settings. */
import { plural } from './plural';

export const folders = 'Folders';
export const templates = 'Templates';
export const templatesDetail = 'Leave empty to use the Templates core plugin’s folder.';
export const customTools = 'Custom tools';
export const customToolsDetail = 'Notes here can be used as tools.';
export const prompts = 'Prompts';
export const promptsDetail = 'Notes here appear in the / menu.';
export const customToolHelp = 'How to turn a note into a tool';
export const customToolHelpDetail =
  'Start the note like this. The text below is sent to the agent. New chats can use the tool as far as its permission allows.';
export const notATool = (name: string) => `${name} is not a tool`;
export const mcpServer = 'MCP server';
export const mcpServerDetail =
  'Lets other apps on this computer, such as Claude Code, use Parley’s tools under your permissions. What they read goes where they send it. Only this computer can connect, and only with the token. If the setting was synced from another device, allow it here first.';
export const mcpWrite = 'Allow changes';
export const mcpWriteDetail =
  'Adds the tools that write, move and delete. Approvals appear in Parley while the app waits.';
export const mcpMode = 'Mode for external apps';
export const mcpModeDetail =
  'Default for chats that hold an app’s calls. You can change it per chat.';
export const readOnlyLower = 'read only';
export const mcpPort = 'MCP port';
export const mcpPortDetail = 'Where apps on this computer connect.';
export const connectApp = 'Connect an app';
export const connectAppDetail =
  'Give it this address, and the token as “Authorization: Bearer …”. Anyone with the token can use the tools. It is kept in this computer’s secret storage. A new token disconnects all apps.';
export const copiedWhat = (what: string) => `Copied the ${what}`;
export const allowOnDevice = 'Allow on this device';
export const copyAddress = 'Copy address';
export const copyToken = 'Copy token';
export const newToken = 'New token';
export const newTokenCreated = 'New token created. Apps need it to connect again.';
export const termsRead = 'read notes';
export const termsReadOnly = 'read notes, and call the tools that change them in Read only';
export const termsReview = 'read notes and suggest edits';
export const termsApply = 'read and edit notes';
export const off = 'Off.';
export const notAllowedYet = (terms: string) =>
  `On, but not allowed on this device yet. Apps could ${terms}. Nothing can connect until you allow it.`;
export const otherWindowServes = 'Another window of this vault is active. Apps connect there.';
export const openingPort = 'Opening the port…';
export const noApps = 'No apps connected';
export const connectedApps = (names: string) => `Connected: ${names}.`;
export const runningAt = (address: string, who: string) => `Running at ${address}. ${who}`;
export const mcpServers = 'MCP servers';
export const noMcpServers =
  'No servers yet. Add one to give the agent more tools: a program on this computer, or a service on the network. Their tools act outside Parley, so they ask until you allow them.';
export const addMcpServer = 'Add MCP server';
export const unnamed = 'Unnamed';
export const enableServer = 'Enable';
export const enableServerDetail =
  'When off, the server is not started and its tools are not available.';
export const serverName = 'Name';
export const serverNameDetail = 'Prefix for the names of its tools.';
export const serverKind = 'Type';
export const serverKindDetail =
  'Local: Parley starts a program with your rights on this computer. Remote: connects over HTTP.';
export const trust = 'Trust on this device';
export const trustDetail =
  'Required once per device, and again if the command, variables or address change.';
export const test = 'Test';
export const testDetail = 'Restart and list tools';
export const command = 'Command';
export const commandDetail = 'Command or full path, for example npx.';
export const arguments_ = 'Arguments';
export const argumentsDetail = 'One per line, without quotes.';
export const environment = 'Environment variables';
export const environmentDetail =
  'One NAME=value per line. For a secret, write NAME={{name-of-the-secret}}: it is read from this computer’s secret storage and is not part of the settings.';
export const address = 'Address';
export const addressDetail = 'Its streamable HTTP endpoint.';
export const serverToken = 'Token';
export const serverTokenDetail =
  'If required. Kept in this computer’s secret storage and sent only to this address.';
export const local = 'Local';
export const remote = 'Remote';
export const invalidValue = 'Invalid value.';
export const trusted = 'Trusted';
export const trustProgram = 'Allow it to run here';
export const trustAddress = 'Allow it here';
export const starting = 'Starting…';
export const notTrustedYet = 'It was not started: trust it first.';
export const serverIsOff = 'It was not started: it is off.';
export const stillStarting = 'It is still starting.';
export const statusOff = 'Off';
export const statusIncomplete = 'Incomplete';
export const statusNotTrusted = 'Not trusted yet';
export const statusIdle = 'Starts when needed';
export const oneTool = '1 tool';
export const toolCount = (count: number) => `${count} tools`;
export const statusDown = 'Not running';
export const newServer = 'New server';
export const newServerNumber = (count: number) => `New server ${count}`;
export const scopeAll = 'All notes';
export const scopeAttached = 'Attached notes';
export const scopeLinked = 'The open note and notes it links to';
export const scopeOpen = 'The open note';
export const hidden = 'Hidden from the agent';
export const editable = 'What can be edited';
export const toolGroups = 'Tool groups';
export const excludedFolders = 'Excluded folders';
export const excludedFoldersDetail =
  'One per line, such as Journal/Private. Notes in them can’t be read, searched or changed.';
export const excludedTag = 'Excluded tag';
export const excludedTagDetail =
  'Without #. Notes with this tag or a nested tag are hidden. Leave empty for none.';
export const editableNotes = 'Editable notes';
export const editableNotesDetail =
  'Which notes can be edited, moved and deleted. Notes created in the same chat can always be edited.';
export const linkedNotes = 'Include linked notes';
export const linkedNotesDetail =
  'Sends the text of notes up to this many links (0–3) from attached notes, nearest first and within the read limits. The agent can still find and read others.';
export const canAdd = 'Add';
export const canAddDetail = 'Insert text, and add properties, tags and links.';
export const canReplace = 'Delete or replace';
export const canReplaceDetail = 'All other changes to text or properties, and moving and deleting.';
export const canCreate = 'Create';
export const canCreateDetail = 'Create notes and folders.';
export const canNavigate = 'Navigate';
export const canNavigateDetail = 'Open notes, and run the commands you allow.';
export const unknownCommand = 'There is no command with this ID in this vault.';
export const allowedCommands = 'Allowed commands';
export const allowedCommandsDetail =
  'One command ID per line, such as daily-notes. Commands run with full access once execute_command is set to Allow or Ask.';
export const commands = 'Commands';
export const none = 'None';
export const webSearch = 'Web search';
export const webSearchDetail =
  'Search provider. Queries are sent to it. Choosing one allows both web tools, which you can change under Permissions. Anthropic’s search needs Anthropic’s endpoint and costs extra for each search.';
export const webSearchKey = 'Web search key';
export const webSearchKeyDetail =
  'From Brave, Tavily or Serper. Kept in this computer’s secret storage and sent only to that provider.';
export const embeddingEndpoint = 'Embedding endpoint';
export const embeddingEndpointDetail =
  'Semantic search: a server that creates embeddings, such as Ollama on this computer. The text of all notes except excluded ones is sent to it. Leave empty to turn off.';
export const embeddingModel = 'Embedding model';
export const embeddingModelDetail = 'Model name. Changing it re-indexes all notes.';
export const embeddingKey = 'Embedding key';
export const embeddingKeyDetail =
  'If required. Kept in this computer’s secret storage and sent only to this endpoint.';
export const updateIndex = 'Update index';
export const updateIndexDetail =
  'Adds new and changed notes. A search adds a few changed notes by itself.';
export const cancel = 'Cancel';
export const update = 'Update';
export const findingChanges = 'Finding changed notes…';
export const indexProgress = (done: string, all: string) => `${done} of ${all} passages…`;
export const indexComplete = (notes: string) => `All ${notes} notes are in the semantic index.`;
export const fileDamaged = (aside: string) =>
  `The settings file could not be read. It was kept as ${aside}, and the defaults apply.`;
export const compatibilityTurnedOn =
  'Compatibility mode is on because this endpoint is not Anthropic’s. Requests omit thinking and prompt caching.';
export const model = 'Model';
export const yourNotes = 'Your notes';
export const editing = 'Editing';
export const permissions = 'Permissions';
export const permissionsDetail = 'What the agent may do, must ask for, and never sees.';
export const conversations = 'Chats';
export const limits = 'Limits';
export const search = 'Search';
export const web = 'Web';
export const externalApps = 'External apps';
export const apiKey = 'API key';
export const apiKeyDetail =
  'From console.anthropic.com. Kept in this computer’s secret storage and sent only to the endpoint.';
export const check = 'Check';
export const checking = 'Checking…';
export const export_ = 'Export';
export const exported = (notes: number, note: string) =>
  plural(notes, { one: 'Exported # note: ', other: 'Exported # notes, starting with ' }) + note;
export const modelDetail = 'Used for new messages.';
export const thinking = 'Thinking';
export const thinkingDetail =
  'Let the model reason before answering. Slower and costs more; better on complex tasks.';
export const thinkingAuto = 'Automatic';
export const thinkingOff = 'Off';
export const endpoint = 'Endpoint';
export const endpointDetail = 'Base URL, without /v1. Custom URLs turn on compatibility mode.';
export const compatibility = 'Compatibility mode';
export const compatibilityDetail =
  'For servers such as Ollama, LM Studio and LiteLLM: turns off thinking and prompt caching; no key required.';
export const vaultOrganization = 'Vault organization';
export const vaultOrganizationDetail = 'Tells the agent where notes belong. Used in new chats.';
export const instructions = 'Instructions';
export const instructionsDetail = 'Always included. AGENTS.md in the vault root is also read.';
export const remove = 'Remove';
export const contextPresets = 'Context presets';
export const chatMode = 'Default mode for chat';
export const chatModeDetail =
  'You can change it per chat. Review suggests edits in the notes. Apply edits notes right away; you can undo.';
export const voiceMode = 'Default mode for voice';
export const voiceModeDetail = 'The same for requests from SmartHole.';
export const editTag = 'Tag for pending edits';
export const editTagDetail =
  'Added below each pending edit so you can search for it. Edits with other tags are still found.';
export const undoSize = 'Undo history size';
export const undoSizeDetail =
  'In megabytes. The oldest changes are removed first; pending edits are kept.';
export const idleMinutes = 'Close chats after';
export const idleMinutesDetail = 'Minutes of inactivity. Your next request starts a new chat.';
export const keptChats = 'Chats to keep';
export const keptChatsDetail =
  'Older closed chats are deleted; pinned ones are kept. Chats from external apps are counted separately, up to 200.';
export const questionTimeout = 'Question timeout';
export const questionTimeoutDetail = 'Minutes that a question or approval waits for you.';
export const notifications = 'Notifications';
export const notificationsDetail =
  'Notify me when a request finishes or needs input while Obsidian is in the background.';
export const exportChats = 'Export all chats';
export const exportChatsDetail =
  'Uninstalling Parley deletes your chats. This saves each one as a note in a new folder.';
export const stepsPerTurn = 'Steps per request';
export const stepsPerTurnDetail = 'Model calls per request, from 5 to 50.';
export const tokensPerTurn = 'Tokens per request';
export const tokensPerTurnDetail =
  'Maximum uncached input plus output. You can continue when it is reached.';
export const costPerTurn = 'Cost limit per request';
export const costPerTurnDetail =
  'In US dollars; 0 for no limit. Ignored if the model’s price is unknown.';
export const costPerDay = 'Cost limit per day';
export const costPerDayDetail =
  'In US dollars, for all requests of a day; 0 for no limit. Ignored if the model’s price is unknown.';
export const showCost = 'Show cost';
export const showCostDetail =
  'Show tokens and estimated cost below each answer. When off, they are behind the info button.';
export const prices = 'Custom prices';
export const pricesDetail =
  'One per line: model ID, input and output price, and optionally cache read and cache write price, in US dollars per million tokens. For example: my-model 3 15 0.3 3.75';
export const largeMessages = 'Warn before large messages';
export const largeMessagesDetail =
  'Asks before sending more than this many tokens, attachments included. The count is an estimate.';
export const stall = 'Response timeout';
export const stallDetail = 'Seconds without data before a response counts as interrupted.';
export const readOnly = 'Read only';
export const review = 'Review';
export const apply = 'Apply';
export const throughWindow = 'through the window, with the system’s proxy';
export const worksWithoutModels = (way: string) =>
  `It works, connected ${way}. The server lists no models.`;
export const worksWithModels = (way: string, models: number) =>
  `It works, connected ${way}. ${models} models are available.`;
export const smartHoleDetail =
  'Lets you speak to Parley through the SmartHole app on this computer.';
export const assistantName = 'Assistant name';
export const assistantNameDetail = 'What the assistant is called.';
export const wireName = 'Wake word';
export const wireNameDetail =
  'The word that addresses it, as in “Simone, add milk”. Leave empty to use the assistant’s name.';
export const routing = 'Routing description';
export const routingDetail = 'SmartHole uses this to decide which requests to send here.';
export const generateRouting = 'Generate from vault organization';
export const generateRoutingDetail = 'Replaces the routing description.';
export const port = 'Port';
export const portDetail = 'Where SmartHole listens on this computer.';
export const characterCount = (count: string, limit: string) => `${count} of ${limit} characters`;
export const generate = 'Generate';
export const generating = 'Generating…';
export const flat = 'Flat';
export const grouped = 'Grouped';
export const allow = 'Allow';
export const ask = 'Ask';
export const offShort = 'Off';
export const toolReadFile = 'Reads notes and other files.';
export const toolGetFileInfo = 'Shows size, dates, headings, links and tags of a note.';
export const toolWriteFile = 'Creates notes, and replaces the whole text of a note.';
export const toolEditFile = 'Edits parts of a note.';
export const toolUpdateProperties = 'Sets and removes properties of a note, right away.';
export const toolAddTags = 'Adds tags to a note, right away.';
export const toolLinkNotes = 'Inserts links into notes.';
export const toolApplyTemplate = 'Creates notes from your templates.';
export const toolSearchFiles = 'Finds notes and folders by name.';
export const toolSearchContent = 'Searches the text of notes.';
export const toolSearchVault = 'Finds the notes most relevant to a topic.';
export const toolReadProperties = 'Reads the properties of notes.';
export const toolGetContext = 'Rereads what you attached and have open.';
export const toolCopyNotes = 'Adds a button to the chat that copies notes.';
export const toolExecuteCommand = 'Runs the commands that you allow under Permissions.';
export const toolQueryNotes = 'Finds notes by properties, tags, dates, links and tasks.';
export const toolListTags = 'Lists tags and how often they are used.';
export const toolGetLinks = 'Follows the links from and to a note.';
export const toolFindDeadLinks = 'Finds broken links and notes without links.';
export const toolExploreStructure = 'Explores folders and their contents.';
export const toolCreateFolder = 'Creates folders.';
export const toolMove = 'Moves and renames, and updates links.';
export const toolDelete =
  'Deletes files and folders, as Obsidian’s setting for deleted files says.';
export const toolOpenNote = 'Opens notes.';
export const toolWebSearch = 'Searches the web with the chosen provider.';
export const toolReadWebpage = 'Reads web pages that you or a search named; asks about others.';
export const toolPlan = 'Shows you a checklist of its plan.';
export const toolSendMessage = 'Sends you a message while it continues.';
export const toolGetConversation = 'Searches past chats.';
export const toolEndConversation = 'Closes the chat when you say so.';
export const linesPerRead = 'Lines per read';
export const linesPerReadDetail = 'Maximum lines of a note in one call.';
export const charactersPerRead = 'Characters per read';
export const charactersPerReadDetail = 'Maximum characters in one call.';
export const charactersPerLine = 'Characters per line';
export const charactersPerLineDetail = 'Longer lines are cut, and the result says so.';
export const toolFormat = 'Tool format';
export const toolFormatDetail =
  'How tools are presented to the model in new chats: one by one, grouped, or with names as MCP clients use them. What they can do is the same.';
export const keptTools = 'Asking you and ending a turn stay on.';
export const enableGroup = 'Enable group';
export const enableGroupDetail = (kept: string) =>
  `When off, none of its tools can be called.${kept}`;
export const tools = 'Tools';
export const offCount = (count: number) => `${count} off`;

/**
 * @param names the first tools
 * @param count all tools
 * @param unusable tools that the server lists but that can't be used
 * @param omitted for example "2 of 14 in short, 1 not at all"
 */
export function serverWorks(
  names: readonly string[],
  count: number,
  unusable: number,
  omitted: string | undefined,
): string {
  const lacking =
    unusable === 0
      ? ''
      : ` At least ${unusable} more can’t be used: too many, too large, or without a name of 1 to 128 characters.`;
  if (count === 0) return `It works, but offers no tools.${lacking}`;
  const tools = plural(count, {
    one: 'It works and offers # tool',
    other: 'It works and offers # tools',
  });
  const more = count > names.length ? ` and ${count - names.length} more` : '';
  const cut =
    omitted === undefined
      ? ''
      : ` Their descriptions are too long for a chat: the model gets ${omitted}.`;
  return `${tools}: ${names.join(', ')}${more}.${lacking}${cut} New chats can use them. They ask until you allow them under Permissions.`;
}

export const asksCount = (count: number) => `${count} ask`;
export const desktopOnly = 'Only the desktop app can open a port.';
export const portTaken = (port: number) =>
  `Port ${port} is used by another program or vault. Parley retries by itself. Or choose another port here, and in the apps that connect.`;
export const portForbidden = (port: number) =>
  `The system does not let Obsidian open port ${port}. Choose another one.`;
export const portFailed = (port: number, error: string) =>
  `Port ${port} could not be opened. (${error})`;
export const indexedElsewhere = 'Another window of this vault is active. Update the index there.';
