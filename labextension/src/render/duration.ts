/** A duration → its words, those of Python (`seconds` in wfnb/views/step_words.py): tests/golden/said/seconds.json. */

/** "< 1 ms", "0.012 s", "9 s", "4.3 s", "30 min", "2 h 1 min". */
export function seconds(duration: number): string {
  if (duration > 0 && duration < 0.0005) {
    return '< 1 ms';
  }
  if (duration < 1) {
    return `${Number(fixed(Math.max(duration, 0), 3))} s`;
  }
  if (duration < 59.95) {
    return `${fixed(duration, 1)} s`.replace('.0 s', ' s');
  }
  const whole = Number(fixed(duration, 0));
  const [units, large, little] = whole < 3600 ? [whole, 'min', 's'] : [Math.floor(whole / 60), 'h', 'min'];
  const rest = units % 60;
  return `${Math.floor(units / 60)} ${large}${rest ? ` ${rest} ${little}` : ''}`;
}

/** As Python rounds: what lies in the middle goes to the even digit, where `toFixed` goes up. */
function fixed(value: number, digits: number): string {
  const scaled = value * 10 ** digits;
  const below = Math.floor(scaled);
  const middle = scaled - below === 0.5 && Number.isInteger(value * 2 ** (digits + 1));
  return middle ? ((below + (below % 2)) / 10 ** digits).toFixed(digits) : value.toFixed(digits);
}
