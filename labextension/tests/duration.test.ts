import { expect, test } from 'vitest';

import { seconds } from '../src/render/duration';
import SAID from '../../tests/golden/said/seconds.json';

test('a duration is said as Python says it', () => {
  expect(SAID.length).toBeGreaterThan(30);
  expect(SAID.map(([duration]) => [duration, seconds(duration as number)])).toEqual(SAID);
});
