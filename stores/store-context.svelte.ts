/** Svelte contexts for the stores: the plugin's state, shared by all views, and each view's own. */
import { createContext } from 'svelte';
import type { PluginState } from './plugin-state.svelte';
import type { ChatState } from './chat-state.svelte';

export const [panel, setPanel] = createContext<PluginState>();
/** Navigation to pages that replace the messages. */
export interface ChatPages {
  showUsage(): void;
}

export const [places, setPlaces] = createContext<ChatPages>();
export const [screen, setScreen] = createContext<ChatState>();
