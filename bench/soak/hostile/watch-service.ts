import { serviceMetric } from '../../av-skew/service-metric.ts';
import { engineNow } from '../../../runtime/clock.ts';
import { processTree } from '../../lib/process-tree.ts';
import type { RunningService } from '../../../e2e/support/service.ts';

/** The state of the service at one time, from outside. */
export interface ServiceSample {
  /** Ms of the engine's clock. */
  readonly at: number;
  readonly rssMb: number;
  /** Heap of the main thread, and buffers that belong to it. */
  readonly heapMb: number;
  readonly externalMb: number;
  /** Memory of its child processes together. */
  readonly childrenMb: number;
  /** Longest stall of its event loop since the sample before, ms. */
  readonly stallMs: number;
  readonly files: number;
}

export interface ServiceWatch {
  readonly samples: readonly ServiceSample[];
  stop(): void;
}

const SAMPLE_MS = 10_000;
const BYTES_A_MB = 1024 * 1024;
/** The interval of the service's own monitor, which is part of its values (default of prom-client). */
const MONITOR_MS = 10;

/** @param looked gets each sample. */
export function watchService(service: RunningService, looked: (sample: ServiceSample) => void): ServiceWatch {
  const samples: ServiceSample[] = [];
  async function look(): Promise<void> {
    const stallS = await serviceMetric(service, 'nodejs_eventloop_lag_max_seconds');
    const files = await serviceMetric(service, 'process_open_fds');
    const heap = await serviceMetric(service, 'nodejs_heap_size_used_bytes');
    const external = await serviceMetric(service, 'nodejs_external_memory_bytes');
    const [own, ...children] = processTree(service.pid);
    if (own === undefined) return;
    const sample: ServiceSample = {
      at: engineNow(),
      rssMb: own.rssMb,
      heapMb: heap / BYTES_A_MB,
      externalMb: external / BYTES_A_MB,
      childrenMb: children.reduce((sum, { rssMb }) => sum + rssMb, 0),
      stallMs: Math.max(0, stallS * 1_000 - MONITOR_MS),
      files,
    };
    samples.push(sample);
    looked(sample);
  }
  // A failed sample is left out: the conversations show whether the service is up.
  const looking = setInterval(() => void look().catch(() => undefined), SAMPLE_MS);
  return { samples, stop: () => clearInterval(looking) };
}
