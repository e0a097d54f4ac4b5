/** A cell's text → how many steps it opens. The kernel has the last word: a line of a string opens none. */

/** A line that opens a step; one that is indented may run never or often. */
const OPENS = /^([ \t]*)(?:%{1,2}(?:step|branch)|%wfnb[ \t]+revise)(?!\S)/gm;
const OFTEN = 1_000;
/** A line that speaks to wfnb, or none of a comment and none that is blank. */
const OURS = /^[ \t]*%{1,2}(?:wfnb|run_workflow|workflow|step|branch|(?:re|un)?load_ext[ \t]+wfnb)(?!\S)/m;
const CODE = /^[ \t]*[^#\s]/m;

/** How many steps a cell's text opens.
 *
 *  `opened('%%step Load\nload()') === 1`
 */
export function opened(source: string): number {
  const found = [...source.matchAll(OPENS)];
  return found.some(([, indent]) => indent) ? OFTEN : found.length;
}

/** Whether a line of a cell speaks to wfnb: it is a step by that, or is to be none. */
export function speaks(source: string): boolean {
  return OURS.test(source);
}

/** Whether all of a cell may be a step, though no line of it says so. */
export function plain(source: string): boolean {
  return CODE.test(source) && !speaks(source);
}
