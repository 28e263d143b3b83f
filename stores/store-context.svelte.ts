/** Svelte contexts for the stores: the plugin's state, shared by all views, and each view's own. */
import { createContext } from 'svelte';
import type { PluginState } from './plugin-state.svelte';
import type { ChatState } from './chat-state.svelte';

export const [panel, setPanel] = createContext<PluginState>();
/** Shows the page with usage and cost. */
export const [showsUsage, setShowUsage] = createContext<() => void>();
export const [screen, setScreen] = createContext<ChatState>();
