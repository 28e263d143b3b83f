import type { Category } from '../task';
import { ANSWERS } from './answers';
import { BULK } from './bulk';
import { DAYS } from './days';
import { HOPS } from './hops';
import { INJECTION } from './injection';
import { INTERRUPTIONS } from './interruptions';
import { LANGUAGES } from './languages';
import { LIMITS } from './limits';
import { LISTS } from './lists';
import { LONG_NOTES } from './long-notes';
import { ORGANIZING } from './organizing';
import { OVERVIEW } from './overview';
import { OWN_CHANGES } from './own-changes';
import { PROPERTIES } from './properties';
import { RESTRAINT } from './restraint';
import { REVIEW_TASKS } from './review';
import { SECTIONS } from './sections';
import { SPOKEN } from './spoken';
import { TABLES } from './tables';
import { UNCLEAR } from './unclear';
import { UNDOING } from './undoing';
import { WRITING } from './writing';

export const CATEGORIES: readonly Category[] = [
  ANSWERS,
  OVERVIEW,
  HOPS,
  LISTS,
  SECTIONS,
  PROPERTIES,
  TABLES,
  ORGANIZING,
  BULK,
  WRITING,
  UNCLEAR,
  RESTRAINT,
  INJECTION,
  REVIEW_TASKS,
  UNDOING,
  OWN_CHANGES,
  SPOKEN,
  DAYS,
  LONG_NOTES,
  LANGUAGES,
  INTERRUPTIONS,
  LIMITS,
];
