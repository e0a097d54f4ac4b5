/** A cell's text → eight letters for it: those that wfnb/panel/cell_digest.py makes of the source that a step ran. White
 *  space at the end of lines and of the cell does not count.
 */

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) {
    value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  }
  return value;
});
/** What Python's `rstrip` takes away. */
const END = /(?:(?!\ufeff)[\s\x1c-\x1f\x85])+$/;

export function digest(source: string): string {
  const text = source.replace(END, '').replace(/[ \t]+(?=\n)/g, '');
  let sum = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) {
    sum = (TABLE[(sum ^ byte) & 0xff] as number) ^ (sum >>> 8);
  }
  return ((sum ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0');
}
