import { useMemo, useState } from 'preact/hooks';
import { Chart } from '../../components/chart.tsx';
import { SelectField } from '../../components/fields.tsx';
import { PageHead, Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { secondsText } from '../sessions/wording.ts';
import { CapacityCard } from './capacity-card.tsx';
import { moneyText, spentText } from '../prices/money.ts';
import { ByPersona } from './by-persona.tsx';
import { getUsage, type Usage, type UsageFigures } from './usage-api.ts';
import { Options } from '../../components/options.tsx';

const PERIODS = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
] as const;

/** How much is talked, and how soon it is answered, day by day. */
export function UsageView() {
  const [days, setDays] = useState('30');
  const usage = useLoaded(days, () => getUsage(Number(days)));
  return (
    <main class="page">
      <PageHead title="Usage" text="Conversations of your organization, and how soon they were answered.">
        <SelectField label="Period" value={days} onChange={setDays}>
          <Options of={PERIODS} />
        </SelectField>
      </PageHead>
      <CapacityCard />
      <Shown loaded={usage}>{(value) => <Figures usage={value} />}</Shown>
    </main>
  );
}

function Figures({ usage }: { usage: Usage }) {
  const charts = useMemo(() => chartsOf(usage), [usage]);
  const { total, truncated } = usage;
  const figures = [
    ['Sessions', String(total.sessions)],
    ['Minutes', total.minutes.toFixed(1)],
    ...costFigures(total),
    ['Turns', String(total.turns)],
    ['Interrupted', percent(total.interruptedTurns, total.turns)],
    ['Failed', percent(total.failedSessions, total.sessions)],
    ['First audio, median', secondsText(total.firstAudioLatencySeconds.p50)],
    ['First audio, 95\u00a0%', secondsText(total.firstAudioLatencySeconds.p95)],
  ] as const;
  return (
    <div class="stack">
      <dl class="figures">
        {figures.map(([name, value]) => (
          <div key={name} class="card">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div class="charts">
        {charts.map((chart) => (
          <section key={chart.name} class="card padded">
            <Chart {...chart} />
          </section>
        ))}
      </div>
      <ByPersona personas={usage.personas} />
      {truncated && <p class="muted small">Latencies are of the newest 20,000 turns.</p>}
    </div>
  );
}

/** Of those sessions of which it is known. */
function costFigures({ costs, sessions }: UsageFigures): (readonly [string, string])[] {
  const total = spentText(costs);
  if (total === null) return [];
  const [first] = costs;
  const perSession = costs.length === 1 && sessions > 0 ? spentText(costs, 1 / first!.sessions) : null;
  return [['Cost', total], ...(perSession === null ? [] : [['Cost of a session', perSession] as const])];
}

function chartsOf({ days, total }: Usage) {
  const labels = days.map(({ date }) => dayText(date));
  const spread = (name: string, field: 'firstAudioLatencySeconds' | 'llmTimeToFirstOutputSeconds') => ({
    name,
    labels,
    format: seconds,
    step: 0.1,
    series: [
      { name: 'Median', color: '--you', shape: 'line' as const, values: days.map((day) => day[field].p50) },
      { name: '95 %', color: '--stage-llm', shape: 'line' as const, values: days.map((day) => day[field].p95) },
    ],
  });
  const bars = (name: string, color: string, step: number, values: readonly number[]) => ({
    name,
    labels,
    format: whole,
    step,
    series: [{ name, color, shape: 'bars' as const, values }],
  });
  return [
    bars(
      'Sessions',
      '--persona',
      1,
      days.map(({ sessions }) => sessions),
    ),
    bars(
      'Minutes',
      '--you',
      0.1,
      days.map(({ minutes }) => minutes),
    ),
    ...total.costs.map(({ currency }) =>
      costBars(
        labels,
        currency,
        days.map(({ costs }) => costs.find((spent) => spent.currency === currency)?.amount ?? 0),
      ),
    ),
    spread('From the end of speech to the first audio', 'firstAudioLatencySeconds'),
    spread('To the first output of the LLM', 'llmTimeToFirstOutputSeconds'),
  ];
}

const costBars = (labels: readonly string[], currency: string, values: readonly number[]) => ({
  name: `Cost, ${currency}`,
  labels,
  format: (value: number): string => moneyText(value, currency),
  step: 0.1,
  series: [{ name: 'Cost', color: '--stage-voice', shape: 'bars' as const, values }],
});

const whole = (value: number): string => value.toLocaleString(undefined, { maximumFractionDigits: 1 });
const seconds = (value: number): string => `${whole(value)} s`;
const percent = (part: number, all: number): string => (all === 0 ? '–' : `${Math.round((part / all) * 100)} %`);

/** A date without a time belongs to no time zone. */
function dayText(date: string): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString(undefined, {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
}
