import type { MeetingProviders } from './meeting-api.ts';

/** Whose meetings a persona can join, and what each must allow. */
export function ProviderList({ providers }: { providers: MeetingProviders['data'] }) {
  return (
    <details class="card">
      <summary>Which meetings it can join</summary>
      <div>
        {providers.map(({ id, name, tried, note, conditions }) => (
          <section key={id} class="meeting-provider">
            <h3>
              {name}{' '}
              <span class={`badge ${tried === 'yes' ? 'good' : ''}`}>{tried === 'yes' ? 'Tried' : 'Not tried'}</span>
            </h3>
            <p class="muted small">{note}</p>
            <ul class="small">
              {conditions.map((condition) => (
                <li key={condition}>{condition}</li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </details>
  );
}
