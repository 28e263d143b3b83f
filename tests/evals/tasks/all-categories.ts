import type { Category } from '../task';
import { ANSWERS } from './answers';
import { HOPS } from './hops';
import { INJECTION } from './injection';
import { LISTS } from './lists';
import { ORGANIZING } from './organizing';
import { PROPERTIES } from './properties';
import { RESTRAINT } from './restraint';
import { SECTIONS } from './sections';
import { TABLES } from './tables';
import { UNCLEAR } from './unclear';

export const CATEGORIES: readonly Category[] = [
  ANSWERS,
  HOPS,
  LISTS,
  SECTIONS,
  PROPERTIES,
  TABLES,
  ORGANIZING,
  UNCLEAR,
  RESTRAINT,
  INJECTION,
];
