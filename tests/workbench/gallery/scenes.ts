/** All scenes of the gallery by name. */
import type { Scenes } from './scene';
import { ANSWER_SCENES, LENGTH_SCENES } from './scenes-of-answers';
import { ASKING_SCENES } from './scenes-of-asking';
import { COMPOSER_SCENES } from './scenes-of-composer';
import { EDIT_REPLY_SCENES } from './scenes-of-edit-replies';
import { HISTORY_SCENES } from './scenes-of-history';
import { PROGRAM_SCENES } from './scenes-of-programs';
import { REVIEW_SCENES } from './scenes-of-review';
import { SEVERAL_CHATS_SCENES } from './scenes-of-several-chats';
import { START_SCENES } from './scenes-of-start';
import { ENDING_SCENES, TURN_SCENES } from './scenes-of-turns';
import { USAGE_SCENES } from './scenes-of-usage';
import { VOICE_SCENES } from './scenes-of-voice';

export const SCENE_GROUPS: Readonly<Record<string, Scenes>> = {
  'First run': START_SCENES,
  Answers: ANSWER_SCENES,
  Turns: TURN_SCENES,
  'How turns end': ENDING_SCENES,
  Asking: ASKING_SCENES,
  'Several chats': SEVERAL_CHATS_SCENES,
  Composer: COMPOSER_SCENES,
  Chats: HISTORY_SCENES,
  'Voice, inbox, devices': VOICE_SCENES,
  Programs: PROGRAM_SCENES,
  Review: REVIEW_SCENES,
  'Replies to edits': EDIT_REPLY_SCENES,
  'Usage and instructions': USAGE_SCENES,
  'Long names': LENGTH_SCENES,
};

export const SCENES: Scenes = Object.assign({}, ...Object.values(SCENE_GROUPS)) as Scenes;

/** Body classes of each theme. Two themes are sets of variables taken from community themes. */
export const THEMES: Readonly<Record<string, readonly string[]>> = {
  light: ['theme-light'],
  dark: ['theme-dark'],
  storybook: ['theme-light', 'storybook'],
  terminal: ['theme-dark', 'terminal'],
};
