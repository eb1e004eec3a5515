import type { ProviderLatencies } from '../../../control/api/operator/provider-latency-schema.ts';
import { listProviderLatencies } from '../api/routes.ts';
import { useLoaded } from '../state/load.ts';
import { milliseconds } from '../session/waterfall.ts';
import { moment } from './sessions/wording.ts';

type Row = ProviderLatencies['data'][number];

const RESULTS: Readonly<Record<Row['result'], string>> = {
  partial: 'Speech recognition, first words',
  final: 'Speech recognition, final',
  token: 'LLM, first token',
  audio: 'Voice, first sound',
  vectors: 'Embeddings',
};

/** How soon the services of this deployment answer. Only keys of the operator may know: others see nothing here. */
export function ProviderLatenciesCard() {
  const latencies = useLoaded('provider latencies', listProviderLatencies);
  if (latencies.state !== 'ready') return null;
  const rows = latencies.value.data;
  const slowest = Math.max(1, ...rows.map(({ p95Ms }) => p95Ms ?? 0));
  return (
    <section class="card padded stack">
      <header class="row" style={{ flexWrap: 'nowrap', justifyContent: 'space-between' }}>
        <div>
          <h2>How soon models answer</h2>
          <p class="muted small">
            The last 100 requests to each, in all sessions: median, and 95th percentile. Requests are counted since the
            start.
          </p>
        </div>
        <button class="button" type="button" onClick={latencies.again}>
          Refresh
        </button>
      </header>
      {rows.length === 0 ? (
        <p class="muted">Nothing was asked yet. Talk to a persona first.</p>
      ) : (
        <table class="latencies">
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col">Median</th>
              <th scope="col">95 %</th>
              <th scope="col">Requests</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <LatencyRow key={`${row.result} ${row.provider}`} row={row} slowest={slowest} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function LatencyRow({ row, slowest }: { row: Row; slowest: number }) {
  const { result, provider, p50Ms, p95Ms, answered, failed, lastFailure } = row;
  return (
    <tr>
      <th scope="row">
        {provider}
        <span class="muted small">{RESULTS[result]}</span>
        {failed > 0 && lastFailure !== null && (
          <span class="small bad" title={`Last: ${moment(lastFailure.at)}`}>
            {failed} failed ({lastFailure.code})
          </span>
        )}
        <span class="track" aria-hidden="true">
          <i style={{ width: `${((p95Ms ?? 0) / slowest) * 100}%` }} />
          <b style={{ width: `${((p50Ms ?? 0) / slowest) * 100}%` }} />
        </span>
      </th>
      <td>{timeOf(p50Ms)}</td>
      <td>{timeOf(p95Ms)}</td>
      <td>{answered}</td>
    </tr>
  );
}

const timeOf = (ms: number | null): string => (ms === null ? '–' : milliseconds(ms));
