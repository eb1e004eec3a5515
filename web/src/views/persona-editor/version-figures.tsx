import { Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { spentText } from '../prices/money.ts';
import { duration } from '../sessions/wording.ts';
import { listFigures, type VersionFigures } from './draft-api.ts';

/** Versions that are compared side by side, the newest. */
const COMPARED = 8;

/** What came of the conversations of each version, one line each. */
export function Figures({ personaId }: { personaId: string }) {
  const figures = useLoaded(`figures ${personaId}`, () => listFigures(personaId));
  return (
    <section class="stack">
      <h3>What came of them</h3>
      <Shown loaded={figures}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="muted">Nobody has talked with this persona yet. Its conversations are compared here.</p>
          ) : (
            <FigureTable rows={data.slice(0, COMPARED)} />
          )
        }
      </Shown>
    </section>
  );
}

function FigureTable({ rows }: { rows: readonly VersionFigures[] }) {
  const names = [...new Set(rows.flatMap(({ criteria }) => criteria.map(({ name }) => name)))];
  const hasCosts = rows.some(({ costs }) => costs.length > 0);
  return (
    <div class="card table-scroll" tabIndex={0} role="region" aria-label="Figures of the versions">
      <table class="figure-table">
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">Conversations</th>
            <th scope="col">Length</th>
            <th scope="col">Answer heard after</th>
            {hasCosts && <th scope="col">Cost of one</th>}
            <th scope="col">Errors</th>
            <th scope="col">Success</th>
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.version}>
              <th scope="row">{row.version === 'draft' ? 'Draft' : row.version}</th>
              <td>{row.sessions}</td>
              <td>{duration(row.averageLengthMs)}</td>
              <td>{latencyOf(row.firstAudioLatencySeconds)}</td>
              {hasCosts && <td>{averageCost(row) ?? '–'}</td>}
              <td>{row.errors}</td>
              <ShareCell counts={row.graded} />
              {names.map((name) => (
                <ShareCell key={name} counts={row.criteria.find((one) => one.name === name)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Of those whose cost is known. Null: of none, or in several currencies. */
function averageCost({ costs }: VersionFigures): string | null {
  const [only, ...others] = costs;
  return only === undefined || others.length > 0 ? null : spentText([only], 1 / only.sessions);
}

/** "0.7 s (95 %: 1.2 s)": the median of spoken answers, and what 95 % of them do not exceed. */
function latencyOf({ p50, p95 }: VersionFigures['firstAudioLatencySeconds']): string {
  return p50 === null || p95 === null ? '–' : `${p50.toFixed(1)} s (95 %: ${p95.toFixed(1)} s)`;
}

/** "83 % of 12", with a bar: how many of those that could be judged. One below the other, the bars are a chart of versions. */
function ShareCell({ counts }: { counts: VersionFigures['graded'] | undefined }) {
  const { passed, failed } = counts ?? { passed: 0, failed: 0 };
  const judged = passed + failed;
  if (judged === 0) return <td>–</td>;
  const share = passed / judged;
  return (
    <td>
      <span class="share-bar" aria-hidden="true">
        <span style={{ width: `${100 * share}%` }} />
      </span>
      {Math.round(100 * share)} % of {judged}
    </td>
  );
}
