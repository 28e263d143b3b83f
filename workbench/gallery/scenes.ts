/** All scenes of the gallery by name. */
import type { Scenes } from './scene';
import { ANSWER_SCENES } from './scenes-of-answers';
import { ASKING_SCENES } from './scenes-of-asking';
import { COMPOSER_SCENES } from './scenes-of-composer';
import { ENDING_SCENES } from './scenes-of-endings';
import { HISTORY_SCENES } from './scenes-of-history';
import { LENGTH_SCENES } from './scenes-of-length';
import { PROGRAM_SCENES } from './scenes-of-programs';
import { REVIEW_SCENES } from './scenes-of-review';
import { START_SCENES } from './scenes-of-start';
import { TURN_SCENES } from './scenes-of-turns';
import { USAGE_SCENES } from './scenes-of-usage';
import { VOICE_SCENES } from './scenes-of-voice';

export const SCENE_GROUPS: Readonly<Record<string, Scenes>> = {
  'First run': START_SCENES,
  Answers: ANSWER_SCENES,
  Turns: TURN_SCENES,
  'How turns end': ENDING_SCENES,
  Asking: ASKING_SCENES,
  Composer: COMPOSER_SCENES,
  Chats: HISTORY_SCENES,
  'Voice, inbox, devices': VOICE_SCENES,
  Programs: PROGRAM_SCENES,
  Review: REVIEW_SCENES,
  'Usage and instructions': USAGE_SCENES,
  'Long names': LENGTH_SCENES,
};

export const SCENES: Scenes = Object.assign({}, ...Object.values(SCENE_GROUPS)) as Scenes;
