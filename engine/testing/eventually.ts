import { vi } from 'vitest';
import { TEST_TIMEOUT_MS } from './test-timeout.ts';

/** Repeats assertions until they hold. @throws the last failure after `TEST_TIMEOUT_MS` */
export function eventually<T>(assertions: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(assertions, { timeout: TEST_TIMEOUT_MS });
}
