import type { Category } from '../task';
import { LISTS } from './lists';

export const CATEGORIES: readonly Category[] = [LISTS];
