import {
  DashboardBuilder,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as TimeSeriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries';

/** Of panels, in Grafana's grid of 24 columns. */
const SIZE = { stat: { width: 4, height: 4 }, series: { width: 12, height: 8 } };
/** Whatever the data source is called where the dashboard is imported. */
const SOURCE = { type: 'prometheus', uid: '${source}' };
const INSTANCES = '{instance=~"$instance"}';

const query = (expression: string, legend: string): DataqueryBuilder =>
  new DataqueryBuilder().expr(expression).legendFormat(legend).datasource(SOURCE);

function stat(title: string, expression: string, unit = 'short'): StatBuilder {
  return new StatBuilder()
    .title(title)
    .datasource(SOURCE)
    .unit(unit)
    .height(SIZE.stat.height)
    .span(SIZE.stat.width)
    .withTarget(query(expression, title));
}

function series(title: string, unit: string, queries: readonly (readonly [string, string])[]): TimeSeriesBuilder {
  const panel = new TimeSeriesBuilder()
    .title(title)
    .datasource(SOURCE)
    .unit(unit)
    .min(0)
    .height(SIZE.series.height)
    .span(SIZE.series.width);
  for (const [expression, legend] of queries) panel.withTarget(query(expression, legend));
  return panel;
}

/** @param share 0…1. @returns the quantile of a histogram over five minutes. */
function quantile(share: number, histogram: string, by = ''): string {
  const labels = by === '' ? 'le' : `le, ${by}`;
  return `histogram_quantile(${share}, sum by (${labels}) (rate(${histogram}[5m])))`;
}

const stage = (name: string): string => `parley_turn_stage_seconds_bucket{stage="${name}", instance=~"$instance"}`;
const total = (counter: string, by: string): string => `sum by (${by}) (rate(${counter}${INSTANCES}[5m]))`;

/** The dashboard for Grafana: what operators look at first is at the top. */
export function buildDashboard(): string {
  const dashboard = new DashboardBuilder('Parley')
    .uid('parley')
    .tags(['parley'])
    .refresh('30s')
    .time({ from: 'now-6h', to: 'now' })
    .withVariable(new DatasourceVariableBuilder('source').label('Data source').type('prometheus'))
    .withVariable(instanceVariable());
  addNow(dashboard);
  addAnswers(dashboard);
  addSessions(dashboard);
  addBackgroundWork(dashboard);
  addMachine(dashboard);
  return `${JSON.stringify(dashboard.build(), null, 2)}\n`;
}

function addNow(dashboard: DashboardBuilder): void {
  dashboard
    .withRow(new RowBuilder('Now'))
    .withPanel(stat('Live sessions', `sum(parley_sessions_active${INSTANCES})`))
    .withPanel(stat('Room for', `sum(parley_sessions_free${INSTANCES})`))
    .withPanel(stat('Promise at risk', `sum(parley_promise_at_risk${INSTANCES})`))
    .withPanel(stat('First audio, 95 %', quantile(0.95, stage('first_audio')), 's'))
    .withPanel(stat('Interrupted', share('parley_turns_total', 'result', 'interrupted'), 'percentunit'))
    .withPanel(stat('Free disk', `min(parley_disk_free_bytes${INSTANCES})`, 'bytes'));
}

function addAnswers(dashboard: DashboardBuilder): void {
  dashboard
    .withRow(new RowBuilder('Answers'))
    .withPanel(
      series('From the end of speech to the first audio', 's', [
        [quantile(0.5, stage('first_audio')), 'median'],
        [quantile(0.95, stage('first_audio')), '95 %'],
        [quantile(0.99, stage('first_audio')), '99 %'],
      ]),
    )
    .withPanel(
      series(
        'Stages of a turn, 95 %',
        's',
        ['end_of_turn', 'stt_final', 'llm_first_output', 'tts_first_audio'].map((name) => [
          quantile(0.95, stage(name)),
          name,
        ]),
      ),
    )
    .withPanel(
      series('First result of providers, 95 %', 's', [
        [
          quantile(0.95, `parley_provider_first_result_seconds_bucket${INSTANCES}`, 'service, provider'),
          '{{service}} {{provider}}',
        ],
      ]),
    )
    .withPanel(
      series('Failures of providers', 'reqps', [
        [total('parley_provider_failures_total', 'service, provider, code'), '{{service}} {{provider}} {{code}}'],
      ]),
    );
}

function addSessions(dashboard: DashboardBuilder): void {
  dashboard
    .withRow(new RowBuilder('Sessions'))
    .withPanel(
      series('Live sessions and places', 'short', [
        [`sum by (instance) (parley_sessions_active${INSTANCES})`, 'live {{instance}}'],
        [`sum by (instance) (parley_sessions_capacity${INSTANCES})`, 'places {{instance}}'],
      ]),
    )
    .withPanel(series('Ends of sessions', 'ops', [[total('parley_sessions_ended_total', 'reason'), '{{reason}}']]))
    .withPanel(series('Ends of turns', 'ops', [[total('parley_turns_total', 'result'), '{{result}}']]))
    .withPanel(series('What clients report', 'ops', [[total('parley_client_reports_total', 'name'), '{{name}}']]));
}

function addBackgroundWork(dashboard: DashboardBuilder): void {
  dashboard
    .withRow(new RowBuilder('Background work'))
    .withPanel(
      series('Jobs that wait or are worked on', 'short', [
        [
          `max by (of, queue, state) (parley_jobs{state=~"waiting|active", instance=~"$instance"})`,
          '{{queue}} {{state}} ({{of}})',
        ],
      ]),
    )
    .withPanel(
      series('Jobs that failed or wait for their time', 'short', [
        [
          `max by (of, queue, state) (parley_jobs{state=~"failed|delayed", instance=~"$instance"})`,
          '{{queue}} {{state}} ({{of}})',
        ],
      ]),
    );
}

function addMachine(dashboard: DashboardBuilder): void {
  dashboard
    .withRow(new RowBuilder('Machine'))
    .withPanel(
      series('Event-loop delay, 99 %', 's', [[`nodejs_eventloop_lag_p99_seconds${INSTANCES}`, '{{instance}}']]),
    )
    .withPanel(series('Frames that faces give up', 'short', [[`parley_faces_saving${INSTANCES}`, '{{instance}}']]))
    .withPanel(series('CPU, cores', 'short', [[`rate(process_cpu_seconds_total${INSTANCES}[5m])`, '{{instance}}']]))
    .withPanel(series('Memory', 'bytes', [[`process_resident_memory_bytes${INSTANCES}`, '{{instance}}']]))
    .withPanel(
      series('Requests to the API, 95 %', 's', [
        [quantile(0.95, `parley_http_request_seconds_bucket${INSTANCES}`, 'route'), '{{route}}'],
      ]),
    )
    .withPanel(
      series('Answers of the API', 'reqps', [[total('parley_http_request_seconds_count', 'status'), '{{status}}']]),
    );
}

function instanceVariable(): QueryVariableBuilder {
  return new QueryVariableBuilder('instance')
    .label('Instance')
    .datasource(SOURCE)
    .query('label_values(parley_sessions_active, instance)')
    .multi(true)
    .includeAll(true)
    .allValue('.*');
}

function share(counter: string, label: string, value: string): string {
  const rate = (matchers: string): string => `sum(rate(${counter}{${matchers}instance=~"$instance"}[5m]))`;
  return `${rate(`${label}="${value}", `)} / ${rate('')}`;
}
