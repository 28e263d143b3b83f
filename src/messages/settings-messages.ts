/** Text of the settings. */
import { counted } from './plural';

export const folders = 'Folders';
export const templates = 'Templates folder';
export const templatesDetail = 'Leave empty to use the folder of the Templates core plugin.';
export const customToolFolder = 'Custom tools folder';
export const customTools = 'Custom tools';
export const customToolsDetail =
  'Notes in this folder can become tools for the agent. Leave empty for none.';
export const prompts = 'Prompts folder';
export const promptsDetail =
  'Notes in this folder appear in the / menu of the message field. Leave empty for none.';
export const customToolHelp = 'How to turn a note into a tool';
export const customToolHelpDetail =
  'Start the note with properties like these. The text below them is sent to the agent. New chats can use the tool if its permission allows.';
export const customToolExample = `---
tool: packing_list
description: What to pack for a journey.
parameters:
  nights: How many nights it takes.
  season:
    description: The time of the year.
    default: summer
---
{{nights}} shirts and a hat for {{season}}`;
export const notATool = (name: string) => `${name} is not a tool`;
export const mcpServer = 'Parley as an MCP server';
export const mcpServerDetail =
  'Lets MCP clients on this computer, such as Claude Code, use Parley’s tools with your permissions. What they read goes wherever they send it. Only this computer can connect, and only with the token.';
export const mcpWrite = 'Allow changes';
export const mcpWriteDetail =
  'Also offers the tools that write, move and delete. Approvals appear in Parley while the client waits.';
export const mcpMode = 'Default mode for MCP clients';
export const mcpModeDetail =
  'Applies to chats that contain a client’s calls. You can change it in each chat.';
export const readOnlyLower = 'read only';
export const mcpPort = 'MCP server port';
export const mcpPortDetail = 'Where MCP clients on this computer connect.';
export const connectApp = 'Connect an MCP client';
export const connectAppDetail =
  'Give the client this address, and the token as “Authorization: Bearer …”. Anyone with the token can use the tools. It is kept in this computer’s secret storage. A new token disconnects all clients.';
export const copiedWhat = (what: string) => `Copied the ${what}`;
export const copyAddress = 'Copy address';
export const copyToken = 'Copy token';
export const newToken = 'New token';
export const newTokenCreated = 'New token created. Clients need it to connect again.';
export const off = 'Off.';
export const otherWindowServes =
  'Another window of this vault is active. MCP clients connect there.';
export const openingPort = 'Opening the port…';
export const noApps = 'No clients connected.';
export const connectedApps = (names: string) => `Connected: ${names}.`;
export const runningAt = (address: string, who: string) => `Running at ${address}. ${who}`;
export const mcpServers = 'MCP servers';
export const noMcpServers =
  'No servers yet. Add one to give the agent more tools: a program on this computer, or a service on the network. Their tools act outside Parley, so they ask until you allow them.';
export const addMcpServer = 'Add MCP server';
export const unnamed = 'Unnamed';
export const numberedName = (name: string, count: number) => `${name} (${count})`;
export const enableServer = 'Enable';
export const enableServerDetail =
  'Uses the server below on this computer. A changed command, variable or address switches it off.';
export const serverName = 'Name';
export const serverNameDetail = 'Prefix for the names of its tools.';
export const serverKind = 'Type';
export const serverKindDetail =
  'Local: starts a program on this computer, with your user account’s access. Remote: connects over HTTP.';
export const test = 'Test';
export const testDetail = 'Restarts the server and lists its tools.';
export const command = 'Command';
export const commandDetail = 'Command or full path, for example npx.';
export const arguments_ = 'Arguments';
export const argumentsDetail = 'One per line, without quotes.';
export const environment = 'Environment variables';
export const environmentDetail =
  'One NAME=value per line. For a secret, write NAME={{name-of-the-secret}}: it is read from this computer’s secret storage and is not part of the settings.';
export const address = 'Address';
export const addressDetail = 'URL of its Streamable HTTP endpoint.';
export const serverToken = 'Token';
export const serverTokenDetail =
  'If required. Kept in this computer’s secret storage and sent only to this address.';
export const local = 'Local';
export const remote = 'Remote';
export const invalidValue = 'Invalid value.';
export const starting = 'Starting…';
export const serverIsOff = 'Not started: it is off.';
export const stillStarting = 'Still starting.';
export const statusOff = 'Off';
export const statusIncomplete = 'Incomplete';
export const statusIdle = 'Starts when needed';
export const oneTool = '1 tool';
export const toolCount = (count: number) => `${count} tools`;
export const statusDown = 'Not running';
export const newServer = 'New server';
export const newServerNumber = (count: number) => `New server ${count}`;
export const hidden = 'Hidden from the agent';
export const precedence = 'What decides';
export const precedenceDetail =
  'Everything must allow a change; the strictest wins. First hidden notes: the agent never sees them. Then the mode of the chat: Read only changes nothing, Review proposes, Apply edits. Then “What can be edited”, in every mode. Last the tool: Off refuses it, and Ask asks you first, also in Apply.';
export const editable = 'What can be edited';
export const toolGroups = 'Tool groups';
export const excludedFolders = 'Hidden folders';
export const excludedFoldersDetail =
  'The agent can’t read, search or change notes in these folders.';
export const excludedTag = 'Hidden tag';
export const excludedTagDetail =
  'Notes with this tag or a nested tag are hidden from the agent. Enter it without #, or leave empty for none.';
export const editableNotes = 'Editable notes';
export const editableNotesDetail =
  'Which notes can be edited, moved and deleted. Notes created in the same chat can always be edited.';
export const linkedNotes = 'Include linked notes';
export const linkedNotesDetail =
  'How many links to follow from attached notes (0–3). The text of the linked notes is sent too, nearest first and within the read limits. The agent can still find and read other notes.';
export const canAdd = 'Add';
export const canAddDetail = 'Insert text, and add properties, tags and links.';
export const canReplace = 'Delete or replace';
export const canReplaceDetail =
  'Change or remove existing text and properties, and move and delete notes.';
export const canCreate = 'Create';
export const canCreateDetail = 'Create notes and folders.';
export const canNavigate = 'Navigate';
export const canNavigateDetail = 'Open notes, and run the Obsidian commands that you allow.';
export const unknownCommand = 'There is no command with this ID in this vault.';
export const allowedCommands = 'Allowed commands';
export const allowedCommandsDetail =
  'Obsidian commands the agent may run. One command ID per line, such as daily-notes. Commands run with full access, once the Execute command tool is set to Allow or Ask.';
export const commands = 'Commands';
export const webSearch = 'Web search';
export const webSearchDetail =
  'The provider that searches the web for the agent and receives its queries. Choosing one allows both web tools; you can change that under Tools and commands. Anthropic’s search needs Anthropic’s endpoint and costs extra for each search.';
export const webSearchKey = 'Web search key';
export const webSearchKeyDetail =
  'From Brave, Tavily or Serper. Kept in this computer’s secret storage and sent only to that provider.';
export const embeddingEndpoint = 'Embedding endpoint';
export const embeddingEndpointDetail =
  'A server that creates embeddings, such as Ollama on this computer. The text of all notes that are not hidden is sent to it. Leave empty to turn semantic search off.';
export const embeddingModel = 'Embedding model';
export const embeddingModelDetail = 'Model name. Changing it re-indexes all notes.';
export const embeddingKey = 'Embedding key';
export const embeddingKeyDetail =
  'If required. Kept in this computer’s secret storage and sent only to this endpoint.';
export const updateIndex = 'Update semantic index';
export const updateIndexDetail =
  'Adds new and changed notes. Searches add a few changed notes on their own.';
export const cancel = 'Cancel';
export const update = 'Update';
export const findingChanges = 'Finding changed notes…';
export const indexProgress = (done: string, all: string) => `${done} of ${all} passages…`;
export const indexComplete = (notes: string) => `All ${notes} notes are in the semantic index.`;
export const fileDamaged = (aside: string) =>
  `The settings file could not be read. It was kept as ${aside}, and the defaults apply.`;
export const fileLocked = (reason: string) =>
  `The settings file cannot be read right now: a virus scanner or a cloud drive may hold it. Nothing was changed. ${reason}`.trim();
export const fileCopied = (copy: string) => `A copy of the settings file was kept as ${copy}.`;
export const fileNotCopied =
  'No copy of the settings file could be kept. The next change of a setting overwrites it.';
export const compatibilityTurnedOn =
  'Compatibility mode is on because this endpoint is not Anthropic’s. Requests omit thinking and prompt caching.';
export const model = 'Model';
export const connectionPage = 'Model and endpoint';
export const connectionPageDetail = 'Thinking, endpoint, and compatible servers such as Ollama.';
export const chatPage = 'Chat';
export const chatPageDetail = 'Notifications, closing and keeping chats, export.';
export const chatPageDetailWithPresets =
  'Notifications, closing and keeping chats, export, presets.';
export const permissionsPage = 'Editing and permissions';
export const permissionsPageDetail =
  'Folders and notes to hide, what the agent may edit, tools, undo.';
export const voicePage = 'Voice';
export const voicePageDetail = 'Connect SmartHole, assistant name, wake word.';
export const searchPage = 'Search and web';
export const searchPageDetail = 'Web search, and search by meaning.';
export const mcpPage = 'MCP';
export const mcpPageDetail = 'MCP servers for more tools, and access for MCP clients.';
export const limitsPage = 'Limits and cost';
export const limitsPageDetail = 'Steps, tokens and money per request, prices, read limits.';
export const advancedPage = 'Advanced';
export const advancedPageDetail = 'Tool format, log, and diagnostics for bug reports.';
export const toolsPage = 'Tools and commands';
export const toolsPageDetail = 'Allow a tool, have it ask first, or turn it off.';
export const edits = 'Review and undo';
export const addFolder = 'Add folder';
export const hiddenFolder = 'Hidden, along with everything in it.';
export const chooseFolder = 'Choose a folder to hide…';
export const hideMissingFolder = (path: string) => `Hide “${path}”, which doesn’t exist yet`;
export const semanticSearch = 'Semantic search';
export const mcpClients = 'MCP clients';
export const requestLimits = 'Requests';
export const cost = 'Cost';
export const readLimits = 'Reading notes';
export const diagnostics = 'Diagnostics';
export const diagnosticsDetail =
  'For bug reports: versions, settings, counts, connection states and the log. Contains no note text, names or keys.';
export const log = 'Log';
export const copyDiagnostics = 'Copy';
export const diagnosticsCopied = 'Copied the diagnostics.';
export const diagnosticsFailed = 'The diagnostics could not be copied.';
export const web = 'Web';
export const apiKey = 'API key';
export const apiKeyDetail =
  'From console.anthropic.com. Kept in this computer’s secret storage and sent only to the endpoint.';
export const check = 'Check';
export const checking = 'Checking…';
export const modelDetail = 'Used for new messages. The default is the newest Haiku.';
export const modelIdDetail = 'The model’s name on your server. Used for new messages.';
export const retiringModel = (name: string, date: string | null) =>
  date === null ? `${name} (retiring)` : `${name} (retires ${date})`;
export const thinking = 'Thinking';
export const thinkingDetail =
  'Lets the model reason before it answers. Better for complex tasks, but slower and more expensive.';
export const endpoint = 'Endpoint';
export const endpointDetail =
  'Base URL, without /v1. A URL other than Anthropic’s turns on compatibility mode.';
export const compatibility = 'Compatibility mode';
export const compatibilityDetail =
  'For servers such as Ollama, LM Studio and LiteLLM. Turns off thinking and prompt caching, and needs no API key.';
export const vaultOrganization = 'Vault organization';
export const vaultOrganizationDetail = 'Tells the agent where notes belong.';
export const organizationText = 'Organization';
export const organizationTextDetail =
  'How this vault is organized: which notes go where. Used in new chats.';
export const describeVault = 'Describe my vault';
export const describeVaultDetail =
  'Writes a description for you, from the names of your folders, notes and tags. Hidden notes are left out. You see the text before it is saved.';
export const describeVaultButton = 'Describe';
export const draft = 'Description of your vault';
export const draftDetail =
  'Check the description and edit it if you like. It replaces the text above when you use it.';
export const useDraft = 'Use this description';
export const instructions = 'Instructions';
export const instructionsDetail = 'What the agent should always keep in mind.';
export const instructionsText = 'Your instructions';
export const instructionsTextDetail =
  'Included in every new chat. AGENTS.md in the vault root is also read.';
export const lineCount = (count: number) => (count === 0 ? '' : counted(count, 'line'));
export const remove = 'Remove';
export const contextPresets = 'Context presets';
export const chatMode = 'Default mode';
export const chatModeDetail =
  'Read only never edits. Review proposes edits for you to accept. Apply edits notes right away, except text that may run code; you can undo. You can switch in each chat.';
export const voiceMode = 'Default mode for voice';
export const voiceModeDetail =
  'The mode for requests through SmartHole. A chat in which you chose a mode keeps it, also for these.';
export const editTag = 'Tag for edits to review';
export const editTagDetail =
  'Added below each edit so you can search for it. Enter it without #. Edits with another tag are still found.';
export const undoSize = 'Undo history size';
export const undoSizeDetail =
  'Maximum in megabytes. The oldest changes are removed first; edits to review are kept.';
export const idleMinutes = 'Close chats after';
export const idleMinutesDetail =
  'Minutes of inactivity. A spoken request then starts a new chat; typing continues the old one.';
export const keptChats = 'Chats to keep';
export const keptChatsDetail =
  'Older closed chats are deleted; pinned ones are kept. Chats from MCP clients are counted separately, up to 200.';
export const questionTimeout = 'Question timeout';
export const questionTimeoutDetail =
  'Minutes that a spoken request, or a call by an MCP client, waits for your answer. A typed request waits as long as you need.';
export const notifications = 'Notifications';
export const notificationsDetail =
  'Notify me when a request finishes or needs input while Obsidian is in the background.';
export const exportChats = 'Export all chats';
export const exportChatsDetail =
  'Saves each chat as a note in a new folder. Chats, the undo history and search files are in the plugin’s folder: Obsidian Sync does not copy them to your other devices, and uninstalling Parley deletes them. iCloud, OneDrive and Git copy them, with files of its own for each device.';
export const exportNow = 'Export…';
export const turnsAtOnce = 'Requests at once';
export const turnsAtOnceDetail =
  'How many chats Parley works in at the same time, from 1 to 3. Spoken requests never wait behind typed ones.';
export const stepsPerTurn = 'Steps per request';
export const stepsPerTurnDetail =
  'Maximum model calls for one request, from 5 to 50. You can continue when the limit is reached.';
export const tokensPerTurn = 'Tokens per request';
export const tokensPerTurnDetail =
  'Maximum uncached input plus output. You can continue when the limit is reached.';
export const costPerTurn = 'Cost limit per request';
export const costPerTurnDetail =
  'In US dollars; 0 for no limit. Doesn’t apply to models with an unknown price.';
export const costPerDay = 'Cost limit per day';
export const costPerDayDetail =
  'In US dollars, for all requests in a day; 0 for no limit. A model call that is running when it is reached still finishes, one in each chat at work. Doesn’t apply to models with an unknown price.';
export const showCost = 'Show cost';
export const showCostDetail =
  'Show tokens and estimated cost below each answer. When off, they are behind the info button.';
export const prices = 'Custom prices';
export const pricesDetail =
  'One model per line: model ID, input price, output price and, optionally, cache read and cache write prices, in US dollars per million tokens. For example: my-model 3 15 0.3 3.75';
export const largeMessages = 'Warn before large messages';
export const largeMessagesDetail =
  'Asks before sending a message of more than this many tokens, including attachments. The count is an estimate.';
export const stall = 'Response timeout';
export const stallDetail = 'Seconds without data before a response counts as interrupted.';
export const directly = 'directly';
export const throughWindow = 'through Obsidian’s window and the system’s proxy';
export const toServer = (way: string, host: string) =>
  `${way} to the server at ${host}, not to Anthropic`;
export const worksWithoutModels = (way: string) =>
  `It works, connected ${way}. The server lists no models.`;
export const worksWithModels = (way: string, models: number) =>
  `It works, connected ${way}. ${counted(models, 'model is', 'models are')} available.`;
export const smartHole = 'Connect to SmartHole';
export const smartHoleDetail =
  'Lets you talk to Parley through the SmartHole app on this computer.';
export const assistantName = 'Assistant name';
export const assistantNameDetail = 'What the assistant calls itself.';
export const wireName = 'Wake word';
export const wireNameDetail =
  'The word you say to address it, as in “Simone, add milk”. Leave empty to use the assistant’s name.';
export const voiceDecisions = 'Allow voice decisions';
export const voiceDecisionsDetail =
  'Lets you approve deletions and other changes by saying so, once a notification has asked. SmartHole has no password: any program on this computer that takes its place could answer too. Turn this on only while your own SmartHole is connected. It applies to this device and turns off when the port or the wake word changes.';
export const voiceDecidesFor = (name: string, port: number) =>
  `Allowed for the connection on port ${port} as “${name}”.`;
export const voiceDecidesNot = 'Off: decide in Obsidian.';
export const routing = 'Routing description';
export const routingDetail = 'SmartHole uses this to decide which requests to send here.';
export const generateRouting = 'Generate from vault organization';
export const generateRoutingDetail =
  'Writes the routing description for you. You see the text before it is saved.';
export const routingDraft = 'Generated routing description';
export const port = 'SmartHole port';
export const portDetail = 'Where SmartHole listens on this computer.';
export const generate = 'Generate';
export const generating = 'Generating…';
export const allow = 'Allow';
export const ask = 'Ask';
export const offShort = 'Off';
/** Tools for the user; a tool's own description is written for the model. */
export const toolTexts: Readonly<Record<string, string>> = {
  read_file: 'Reads notes and other files.',
  get_file_info: 'Shows size, dates, headings, links and tags of a note.',
  write_file: 'Creates notes, and replaces the whole text of a note.',
  edit_file: 'Edits parts of a note.',
  update_tasks: 'Adds, ticks, cancels and reschedules tasks.',
  update_properties: 'Sets, removes and renames properties of notes, right away.',
  add_tags: 'Adds tags to notes, right away.',
  rename_tag: 'Renames or removes a tag in notes.',
  replace_in_notes: 'Replaces a text in many notes.',
  link_notes: 'Inserts links into notes.',
  redirect_links: 'Redirects the links to a note or heading to another.',
  apply_template: 'Creates notes from your templates.',
  list_files: 'Finds notes and folders by name.',
  search_files: 'Searches the text of notes.',
  search_vault: 'Finds the notes most relevant to a topic.',
  get_properties: 'Reads the properties of notes.',
  get_context: 'Rereads what you attached and have open.',
  copy: 'Duplicates notes and folders.',
  copy_notes: 'Adds a button to the chat that copies the text of notes.',
  execute_command: 'Runs the Obsidian commands that you allow.',
  query_notes: 'Finds notes by properties, tags, dates, links and tasks.',
  list_tags: 'Lists tags and how often they are used.',
  get_links: 'Follows the links from and to a note.',
  find_dead_links: 'Finds broken links and notes without links.',
  explore_structure: 'Explores folders and their contents.',
  create_folder: 'Creates folders.',
  move: 'Moves and renames files and folders, and updates links.',
  delete: 'Deletes files and folders, following Obsidian’s setting for deleted files.',
  open_note: 'Opens notes.',
  web_search: 'Searches the web with the chosen provider.',
  read_webpage: 'Reads web pages that you mention or a search finds; asks about others.',
  plan: 'Shows you a checklist of its plan.',
  send_message: 'Sends you a message while it continues.',
  get_conversation: 'Searches past chats.',
  get_changes: 'Lists what Parley has changed, in all chats.',
  undo_changes: 'Undoes changes of Parley, as Undo in the chat does.',
  end_conversation: 'Closes the chat when you say so.',
};
export const linesPerRead = 'Lines per read';
export const linesPerReadDetail = 'Maximum lines of a note in one call.';
export const charactersPerRead = 'Characters per read';
export const charactersPerReadDetail = 'Maximum characters in one call.';
export const charactersPerLine = 'Characters per line';
export const charactersPerLineDetail = 'Longer lines are cut, and the result says so.';
export const toolFormat = 'Tool format';
export const toolFormatDetail =
  'How tools are presented to the model in new chats, and to MCP clients: one by one, in groups, or, for the model, with names like those of MCP clients. What they can do stays the same.';
export const keptTools = ' Asking you questions and ending a request stay on.';
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
  const tools = `It works and offers ${counted(count, 'tool')}`;
  const more = count > names.length ? ` and ${count - names.length} more` : '';
  const cut =
    omitted === undefined
      ? ''
      : ` Their descriptions are too long for a chat: the model gets ${omitted}.`;
  return `${tools}: ${names.join(', ')}${more}.${lacking}${cut} New chats can use them. They ask until you allow them under Tools and commands.`;
}

export const asksCount = (count: number) => `${count} ask`;
export const portTaken = (port: number) =>
  `Port ${port} is used by another program or vault. Parley keeps trying. You can also choose another port here, and in the apps that connect.`;
export const portForbidden = (port: number) =>
  `The system does not let Obsidian open port ${port}. Choose another one.`;
export const portFailed = (port: number, error: string) =>
  `Port ${port} could not be opened. (${error})`;
export const indexedElsewhere = 'Another window of this vault is active. Update the index there.';
