import { describe, expect, it } from 'vitest';
import { DeviceSwitch } from './device-switch.ts';

/** What a page shows, look by look: `-` its button that says the device is off, `+` no such button. */
function watch(shown: string): { presses: number; isOff: boolean } {
  const device = new DeviceSwitch();
  let presses = 0;
  for (const look of shown) {
    if (!device.look(look === '-')) continue;
    device.pressed();
    presses += 1;
  }
  return { presses, isOff: device.isOff };
}

describe("The persona's microphone in a meeting", () => {
  it.each([
    ['is turned on when the persona comes', '-+', 1, false],
    ['is turned on when the page shows its button late', '+++++++++-+', 1, false],
    ['stays off when somebody turns it off', '-+--------', 1, true],
    ['is on again when somebody turns it on', '-+-+', 1, false],
    ['has time to become on', '-----+', 1, false],
    ['is off when the press was of no use', '-'.repeat(30), 1, true],
    ['that was on from the beginning is not turned on against those who turn it off', `${'+'.repeat(30)}-`, 0, true],
  ])('%s', (_name, shown, presses, isOff) => {
    expect(watch(shown)).toEqual({ presses, isOff });
  });
});
