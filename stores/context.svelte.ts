/** How components reach the stores: the panel's, shared by all its views, and the view's own. */
import { createContext } from 'svelte';
import type { Panel } from './panel.svelte';
import type { Screen } from './screen.svelte';

export const [panel, setPanel] = createContext<Panel>();
/** What takes the place of the messages. */
export interface Places {
  showUsage(): void;
}

export const [places, setPlaces] = createContext<Places>();
export const [screen, setScreen] = createContext<Screen>();
