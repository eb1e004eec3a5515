import { Counter, Histogram, type Registry } from 'prom-client';
import type { ControlPorts } from '../ports.ts';

/** Seconds: from a voice on this machine to an LLM that thinks first. */
const BUCKETS = [0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10];

/** Adds how soon providers answer to `/metrics`. Providers are named by the operator, so there are few series. */
export function countProviderLatencies(registry: Registry, latencies: ControlPorts['latencies']): void {
  const seconds = new Histogram({
    name: 'parley_provider_first_result_seconds',
    help: 'Time to the first result of a provider. What is timed is explained at GET /v1/provider-latencies.',
    labelNames: ['service', 'result', 'provider'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const failures = new Counter({
    name: 'parley_provider_failures_total',
    help: 'Requests to a provider that failed, by the kind of failure.',
    labelNames: ['service', 'provider', 'code'],
    registers: [registry],
  });
  latencies.listen({
    answered: ({ service, result, provider }, ms) => seconds.observe({ service, result, provider }, ms / 1000),
    failed: ({ service, provider }, code) => failures.inc({ service, provider, code }),
  });
}
