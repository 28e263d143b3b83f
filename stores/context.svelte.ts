/** How components reach the stores: the panel's, shared by all its views, and the view's own. */
import { createContext } from 'svelte';
import type { Panel } from './panel.svelte';
import type { Screen } from './screen.svelte';

export const [panel, setPanel] = createContext<Panel>();
export const [screen, setScreen] = createContext<Screen>();
