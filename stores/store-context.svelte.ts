/** How components reach the stores: the panel's, shared by all its views, and the view's own. */
import { createContext } from 'svelte';
import type { PluginState } from './plugin-state.svelte';
import type { ChatState } from './chat-state.svelte';

export const [panel, setPanel] = createContext<PluginState>();
/** What takes the place of the messages. */
export interface Places {
  showUsage(): void;
}

export const [places, setPlaces] = createContext<Places>();
export const [screen, setScreen] = createContext<ChatState>();
