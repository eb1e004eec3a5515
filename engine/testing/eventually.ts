import { vi } from 'vitest';
import { PATIENCE_MS } from './patience.ts';

/** Repeats assertions until they hold. @throws the last failure after `PATIENCE_MS` */
export function eventually<T>(assertions: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(assertions, { timeout: PATIENCE_MS });
}
