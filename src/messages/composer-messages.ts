/** Text of the composer: placeholder, attachments, modes and the context meter. */
import { counted } from './plural';

export const mention = 'Mention a note, folder or tag';
export const attachFile = 'Attach file or image…';
export const openNote = (name: string) => `Open note: ${name}`;
export const nameOnly = 'Include name only';
export const fullText = 'Include full text';
export const nameOnlyAside = 'name only';
export const includeSelection = 'Include selection';
export const savePreset = 'Save attachments as preset';
export const addContext = 'Add context';
export const folderChip = (path: string) => `${path}/: sends the names of its files`;
export const tagChip = (tag: string) => `#${tag}: sends the names of the notes with this tag`;
export const fileChip = (name: string) => `${name}, a file from outside the vault`;
export const attachedContext = 'Attached context';
export const openNoteChip = (note: string) =>
  `${note}: open note. Only its name is sent. Click to send its text.`;
export const selectedLines = (from: number, to: number) =>
  `Selection, ${from === to ? `line ${from}` : `lines ${from}–${to}`}`;
export const placeholderQuestion = 'Type your answer';
export const placeholderApproval = 'Yes, no, or a reason';
export const answersQuestion = 'Your reply answers the question';
export const answersQuestions = (count: number) => `Your reply answers all ${count} questions`;
export const answersApproval = 'Reply to allow or deny, or say why not';
export const answersDeletion = 'Reply to delete or keep, or say why not';
export const answersFirst = (count: number) =>
  `Yes or no answers the first of ${count} approvals; any other reply declines them all`;
export const notTyped = 'From a link or prompt note';
export const placeholderRunning = 'Add a follow-up…';
export const placeholder = 'Ask anything. @ to add notes, / for commands';
export const noteUnreadable = 'That note can’t be read anymore.';
export const message = 'Message';
export const resume = 'Resume';
export const pause = 'Pause';
export const stop = 'Stop';
export const queueMessage = 'Queue message';
export const joinsPausedTurn = 'Joins when you resume';
export const queueNext = 'Queue';
export const stopAndSend = 'Stop and send';
export const deliveries = 'When to send';
export const joinsNext = 'Joins next';
export const afterThis = 'After this';
export const sendNow = 'Send now';
export const send = 'Send';
export const lessThanOne = 'under 1';
export const contextUsed = (percent: number | string) => `Context: ${percent}% used`;
export const nextMessage = 'Next message';
export const conversationSoFar = 'Conversation so far';
export const instructionsAndTools = 'Instructions and tools';
export const available = 'Available';
export const estimatedTokens = (window: string) =>
  `Estimated tokens. Context window: ${window} tokens.`;
export const largeMessage = 'Large message';
export const largeMessageTokens = (tokens: string) =>
  `This message is large (about ${tokens} tokens).`;
export const sendAnyway = 'Send anyway';
export const cancel = 'Cancel';
export const retiringModel = (name: string) => `${name} (retiring)`;
export const recommendedModels = 'Recommended, price per million tokens';
export const pricedModels = 'Price per million tokens';
export const modelPrice = (name: string, input: string, output: string) =>
  `${name} · ${input} in, ${output} out`;
export const allModels = 'All models…';
export const modelSettings = 'Model settings…';
export const thinking = 'Thinking';
export const settings = 'Open settings';
export const mode = (name: string) => `Mode: ${name}`;
export const model = (name: string) => `Model: ${name}`;
export const presetName = 'Preset name';
export const save = 'Save';
export const queuedWhilePaused = 'Queued (paused)';
export const queued = 'Queued';
export const savingMessage = 'Saving…';
export const editQueued = 'Edit queued message';
export const removeQueued = 'Remove queued message';
export const suggestions = 'Suggestions';
export const suggestionCount = (count: number) => counted(count, 'suggestion');
export const attachableTypes = 'You can attach PNG, JPEG, GIF and WebP images, and PDF documents.';
export const noteNotAvailable = (name: string) =>
  `${name} can’t be attached: the agent isn’t allowed to read it, or it no longer exists.`;
export const fileTooLarge = (name: string, size: string, limit: string) =>
  `${name} is too large: ${size} bytes. The limit is ${limit}.`;
export const savedInVault = (path: string) => `Saved to your vault as ${path}`;
export const fileTooLong = (name: string, size: string, limit: string) =>
  `${name} is too long: ${size} bytes. The limit is ${limit}.`;
export const fileNotText = (name: string) =>
  `${name} is not a text file. From outside the vault, you can attach text, images and PDFs.`;
export const oneNote = '1 note';
export const noteCount = (notes: number) => `${notes} notes`;
export const readOnlyDetail = 'never edits';
export const reviewDetail = 'proposes edits for you to accept';
export const applyDetail = 'edits notes right away';
export const oneAttachment = '1 attachment';
export const attachmentCount = (count: number) => `${count} attachments`;
export const newChat = 'New chat';
export const changeModel = 'Change model';
export const usage = 'Show usage and cost';
export const addPrompts = 'Add your own prompts…';
export const addPromptsDetail = 'choose a folder of prompt notes';
export const promptSummarize = 'Summarize this note';
export const promptSummarizeText = (note: string) =>
  `Summarize ${note}: the main points first, then decisions and open questions.`;
export const promptRelated = 'Find related notes';
export const promptRelatedText = (note: string) =>
  `Find notes related to ${note}. Say in a few words how each is related, and which links between them are missing.`;
export const promptFixWriting = 'Fix writing';
export const promptFixWritingText = (note: string) =>
  `Fix spelling, grammar and awkward sentences in ${note}. Keep its meaning, tone and formatting.`;
export const promptDailyReview = 'Review my day';
export const promptDailyReviewText =
  'Review my day: what did I write or change today, which tasks are open, and what should I do tomorrow?';
export const yourMessage = 'Your message';
export const dateAndUpdates = 'Date, mode and updates';
export const undoLastChange = 'Undo the last change';
export const whatChanged = 'Show what changed';
export const whatIsWaiting = 'Show what is waiting';
export const whatIsDue = 'Show what is due today';
export const promptGroup = 'Prompts';
export const presetGroup = 'Saved attachments';
export const chatGroup = 'This chat';
export const undoGroup = 'Undo and status';
export const modeGroup = 'Mode';
export const noNotes = 'No notes yet';
