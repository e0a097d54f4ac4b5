/** The tabs of the view, in their order. */

import { compare } from './compare_tab';
import { inquiry } from './inquiry_tab';
import { runs } from './runs_tab';
import { stages } from './strategy_tab';
import type { MakeTab } from './tab';
import { timeline } from './timeline';

export const TABS: readonly MakeTab[] = [timeline, stages, compare, runs, inquiry];
