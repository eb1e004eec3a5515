import type { SessionSummary } from '../../api/types.ts';
import { costText } from '../prices/money.ts';
import { costRows, type CostRow, unreported } from './cost-rows.ts';

/** What the session used, and what that cost. */
export function CostCard({ session }: { session: SessionSummary }) {
  const { usage = [], cost = null } = session;
  const rows = costRows(cost, usage);
  if (rows.length === 0 && unreported(usage) === 0) return null;
  return (
    <section class="card padded stack">
      <div class="row cost-head">
        <h2>{cost === null ? 'What was used' : 'Cost'}</h2>
        {cost !== null && <strong>{costText(cost)}</strong>}
      </div>
      {rows.length > 0 && (
        <div class="table-scroll" tabIndex={0} role="region" aria-label="What was used, and what it cost">
          <CostTable rows={rows} hasPrices={cost !== null} />
        </div>
      )}
      <Unknown session={session} />
    </section>
  );
}

function CostTable({ rows, hasPrices }: { rows: readonly CostRow[]; hasPrices: boolean }) {
  return (
    <table class="figure-table cost-table">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">How much</th>
          {hasPrices && <th scope="col">Cost</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ what, provider, amount, price, cost }) => (
          <tr key={`${what} ${provider}`}>
            <th scope="row">
              {what}
              {provider !== null && <span class="muted small">{provider}</span>}
            </th>
            <td>
              {amount}
              {hasPrices && <span class="muted small">{price === null ? 'no price' : `at ${price}`}</span>}
            </td>
            {hasPrices && <td>{cost ?? '–'}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Why it is not known, or not all of it. */
function Unknown({ session: { usage = [], cost = null, endTime } }: { session: SessionSummary }) {
  const untold = unreported(usage);
  return (
    <>
      {untold > 0 && (
        <p class="muted small">
          {untold === 1
            ? 'The LLM did not tell the tokens of one request.'
            : `The LLM did not tell the tokens of ${untold} requests.`}{' '}
          Most tell them only at the end of an answer, and some answers are not needed any more before that.
        </p>
      )}
      {cost === null && (
        <p class="muted small">
          {endTime === null ? (
            'The cost is known when the session is over.'
          ) : (
            <>
              No prices were set when it ended. <a href="#/settings">Set prices</a> to see what conversations cost.
            </>
          )}
        </p>
      )}
    </>
  );
}
