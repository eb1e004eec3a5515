import { afterAll } from 'vitest';
import { processorTime } from './processor-time.ts';

/** Before the file is loaded: loading is part of what it takes. */
const began = performance.now();
const before = processorTime('self', 'with ended children');

// The first that is registered runs last: services and browsers of the file have ended.
// oxlint-disable-next-line no-empty-pattern -- Vitest reads from it which fixtures are used
afterAll(({}, file) => {
  const processorMs = processorTime('self', 'with ended children') - before;
  file.meta.took = { wallMs: performance.now() - began - (file.meta.waitedMs ?? 0), processorMs };
});
