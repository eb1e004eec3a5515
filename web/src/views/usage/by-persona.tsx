import { spentText } from '../prices/money.ts';
import type { PersonaUsage } from './usage-api.ts';

/** Which personas talk most, and what that costs. */
export function ByPersona({ personas }: { personas: readonly PersonaUsage[] }) {
  if (personas.length === 0) return null;
  const hasCosts = personas.some(({ costs }) => costs.length > 0);
  return (
    <section class="card padded stack">
      <h2>By persona</h2>
      <div class="table-scroll" tabIndex={0} role="region" aria-label="Usage of each persona">
        <table class="figure-table cost-table">
          <thead>
            <tr>
              <th scope="col">Persona</th>
              <th scope="col">Sessions</th>
              <th scope="col">Minutes</th>
              {hasCosts && <th scope="col">Cost</th>}
            </tr>
          </thead>
          <tbody>
            {personas.map(({ personaId, name, sessions, minutes, costs }) => (
              <tr key={personaId}>
                <th scope="row">{name ?? 'Without a saved persona'}</th>
                <td>{sessions}</td>
                <td>{minutes.toFixed(1)}</td>
                {hasCosts && <td>{spentText(costs) ?? '–'}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!hasCosts && (
        <p class="muted small">
          <a href="#/settings">Set prices</a> to see what they cost.
        </p>
      )}
    </section>
  );
}
