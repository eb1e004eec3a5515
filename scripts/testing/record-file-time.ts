import { afterAll } from 'vitest';
import { processorTime } from './processor-time.ts';

/** Taken before the file is loaded, because loading is part of its time. */
const began = performance.now();
const before = processorTime('self', 'with ended children');

// The hook that is registered first runs last: the services and browsers of the file have ended.
// oxlint-disable-next-line no-empty-pattern -- Vitest reads from it which fixtures are used
afterAll(({}, file) => {
  const processorMs = processorTime('self', 'with ended children') - before;
  file.meta.took = { wallMs: performance.now() - began - (file.meta.waitedMs ?? 0), processorMs };
});
