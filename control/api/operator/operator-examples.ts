import type { Examples } from '../../http/resource.ts';
import type { ProviderLatencies } from './provider-latency-schema.ts';

const latencies: ProviderLatencies = {
  data: [
    {
      service: 'stt',
      result: 'final',
      provider: 'deepgram',
      p50Ms: 180,
      p95Ms: 420,
      answered: 1204,
      failed: 1,
      lastFailure: { code: 'connect', at: '2026-11-21T00:55:09.774Z' },
    },
    {
      service: 'llm',
      result: 'token',
      provider: 'anthropic',
      p50Ms: 540,
      p95Ms: 1310,
      answered: 1187,
      failed: 0,
      lastFailure: null,
    },
  ],
};

export const operatorExamples: Examples = { 'GET /v1/provider-latencies': { answer: latencies } };
