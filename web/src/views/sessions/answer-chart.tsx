import { useMemo } from 'preact/hooks';
import { Chart } from '../../components/chart.tsx';
import { answerTimes, percentile } from '../../session/turn-percentiles.ts';
import type { TurnRecord } from '../../session/turn-record.ts';
import { milliseconds } from '../../session/waterfall.ts';

/** How soon each turn was answered, and the percentiles of all. */
export function AnswerChart({ turns }: { turns: readonly TurnRecord[] }) {
  const { times, labels, series } = useMemo(() => {
    const all = answerTimes(turns);
    return {
      times: all,
      labels: all.map((_, index) => String(index + 1)),
      series: [{ name: 'To the first audio', color: '--stage-transcript', shape: 'bars' as const, values: all }],
    };
  }, [turns]);
  if (times.length === 0) return null;
  return (
    <section class="card padded">
      <Chart name="How soon each turn was answered" labels={labels} series={series} format={milliseconds} step={1} />
      <dl class="percentiles">
        {PARTS.map(([name, part]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{milliseconds(percentile(times, part) ?? 0)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const PARTS = [
  ['Median', 0.5],
  ['95 %', 0.95],
  ['Slowest', 1],
] as const;
