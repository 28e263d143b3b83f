/**
 * Which notes the agent may change, besides those that a conversation created itself. `current`: the note that was
 * before the person when they asked. `linked`: that one and those it links to. `context`: all that was attached.
 */
export const EDITABLE_SCOPES = ['current', 'linked', 'context', 'vault'] as const;

export type EditableScope = (typeof EDITABLE_SCOPES)[number];
