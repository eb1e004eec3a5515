import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { theme } from '../state/theme.ts';

export interface ChartSeries {
  readonly name: string;
  /** One for each label; null: nothing was measured. */
  readonly values: readonly (number | null)[];
  /** Name of a color in `tokens.css`. */
  readonly color: string;
  readonly shape: 'bars' | 'line';
}

const HEIGHT = 200;
/** Of the place that a bar has. */
const BAR_WIDTH = 0.6;
const MAX_BAR = 40;
/** Diameter of a point, pixels. */
const POINT = 5;
/** What is seen of a point around one of the next line that has the same value, pixels of the diameter. */
const RIM = 4;
/** Room for a label below the chart, in pixels. */
const LABEL_WIDTH = 64;

/** Steps from one label of the vertical axis to the next. A quarter of 10 would be a label that is rounded. */
const STEPS = [1, 2, 5].flatMap((first) => [0.1, 1, 10, 100, 1000, 10_000, 100_000].map((power) => first * power));
STEPS.sort((a, b) => a - b);

/** Bars and lines over labels, with a table for those who do not see them. */
export function Chart({
  name,
  labels,
  series,
  format,
  step,
}: {
  name: string;
  labels: readonly string[];
  series: readonly ChartSeries[];
  format: (value: number) => string;
  /** The smallest difference between two labels of the vertical axis that `format` shows: at least 0.1. */
  step: number;
}) {
  const place = useRef<HTMLDivElement>(null);
  const look = useLook();
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const chart = new uPlot(
      optionsOf(labels, series, format, step, element.clientWidth),
      // A bar without a height would be a dash.
      [
        labels.map((_, index) => index),
        ...series.map(({ values, shape }) => values.map((value) => (shape === 'bars' && value === 0 ? null : value))),
      ],
      element,
    );
    const resized = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      chart.destroy();
    };
  }, [labels, series, format, step, look]);
  return (
    <figure class="chart">
      <figcaption>
        {name}
        {series.length > 1 && <Legend series={series} />}
      </figcaption>
      <div ref={place} aria-hidden="true" />
      <Table name={name} labels={labels} series={series} format={format} />
    </figure>
  );
}

function Legend({ series }: { series: readonly ChartSeries[] }) {
  return (
    <ul class="legend" aria-hidden="true">
      {series.map((one) => (
        <li key={one.name}>
          <i style={{ background: `var(${one.color})` }} />
          {one.name}
        </li>
      ))}
    </ul>
  );
}

/** A table ignores a height of its own: it would make the page longer. */
function Table(props: {
  name: string;
  labels: readonly string[];
  series: readonly ChartSeries[];
  format: (value: number) => string;
}) {
  const { name, labels, series, format } = props;
  return (
    <div class="visually-hidden">
      <table>
        <caption>{name}</caption>
        <thead>
          <tr>
            <td />
            {series.map((one) => (
              <th key={one.name} scope="col">
                {one.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, index) => (
            <tr key={index}>
              <th scope="row">{label}</th>
              {series.map(({ name: column, values }) => (
                <td key={column}>{shown(values[index], format)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function optionsOf(
  labels: readonly string[],
  series: readonly ChartSeries[],
  format: (value: number) => string,
  step: number,
  width: number,
): uPlot.Options {
  const ink = colorOf('--ink-3');
  const line = colorOf('--line');
  const axis = { stroke: ink, ticks: { show: false }, font: '12px system-ui' };
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 12, 0, 0],
    scales: {
      x: { time: false, range: [-0.5, Math.max(labels.length, 1) - 0.5] },
      y: { range: (_, __, most) => [0, Number.isFinite(most) && most > 0 ? Math.max(most * 1.1, step) : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: LABEL_WIDTH,
        incrs: [1, 2, 5, 7, 10, 14, 20, 30, 50, 100],
        values: (_, at) => at.map((index) => labels[index] ?? ''),
      },
      {
        ...axis,
        size: 56,
        grid: { stroke: line, width: 1 },
        incrs: STEPS.filter((one) => one >= step),
        values: (_, at) => at.map(format),
      },
    ],
    series: [
      {},
      ...series.map(({ color, shape }, index): uPlot.Series => {
        const stroke = colorOf(color);
        const size = POINT + RIM * (series.length - 1 - index);
        return shape === 'bars'
          ? {
              stroke,
              fill: stroke,
              points: { show: false },
              paths: uPlot.paths.bars!({ size: [BAR_WIDTH, MAX_BAR], radius: 0.15 }),
            }
          : { stroke, width: 2, spanGaps: true, points: { show: true, size, fill: stroke } };
      }),
    ],
  };
}

/** A canvas knows no variables of CSS. */
function colorOf(variable: string): string {
  const probe = document.createElement('i');
  probe.style.color = `var(${variable})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

const shown = (value: number | null | undefined, format: (value: number) => string): string =>
  typeof value === 'number' ? format(value) : 'none';

/** Changes when the page becomes light or dark. */
function useLook(): string {
  const [dark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const onChange = (): void => setDark(query.matches);
    query.addEventListener('change', onChange);
    return () => query.removeEventListener('change', onChange);
  }, []);
  return `${theme.value} ${dark}`;
}
