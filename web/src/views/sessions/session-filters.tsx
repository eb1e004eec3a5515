import { listPersonas } from '../../api/routes.ts';
import { SelectField, TextField } from '../../components/fields.tsx';
import { useLoaded } from '../../state/load.ts';
import { listUsers } from '../users/user-api.ts';
import { listApiKeys } from '../api-keys/api-key-api.ts';
import { listVersions } from '../persona-editor/draft-api.ts';
import type { SessionFilters } from './session-query.ts';
import { ENDINGS, GRADES, SOURCES } from './wording.ts';
import { Options } from '../../components/options.tsx';

export function FilterBar({
  filters,
  onChange,
}: {
  filters: SessionFilters;
  onChange: (filters: SessionFilters) => void;
}) {
  const personas = useLoaded('personas of sessions', listPersonas);
  const change = (part: Partial<SessionFilters>): void => onChange({ ...filters, ...part });
  return (
    <search class="card padded filters">
      <div class="session-filters">
        <TextField
          label="Words that were said"
          placeholder="refund"
          maxLength={200}
          value={filters.words}
          onInput={(words) => change({ words })}
        />
        <SelectField
          label="Persona"
          value={filters.personaId}
          onChange={(personaId) => change({ personaId, personaVersion: '' })}
        >
          <option value="">Any</option>
          {personas.state === 'ready' &&
            personas.value.data.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </SelectField>
        {filters.personaId !== '' && (
          <VersionField
            personaId={filters.personaId}
            value={filters.personaVersion}
            onChange={(personaVersion) => change({ personaVersion })}
          />
        )}
        <SelectField label="Outcome" value={filters.outcome} onChange={(outcome) => change({ outcome })}>
          <option value="">Any</option>
          <option value="live">Live now</option>
          <option value="failed">Any error</option>
          <Options of={Object.entries(ENDINGS)} />
        </SelectField>
      </div>
      <MoreFilters filters={filters} change={change} />
    </search>
  );
}

/** Those that are wanted less often: on a phone, all of them would stand before the first session. */
function MoreFilters(props: { filters: SessionFilters; change: (part: Partial<SessionFilters>) => void }) {
  const { filters, change } = props;
  return (
    <details>
      <summary>More filters</summary>
      <div class="session-filters">
        <SelectField label="Came from" value={filters.source} onChange={(source) => change({ source })}>
          <option value="">Anywhere</option>
          <Options of={Object.entries(SOURCES)} />
        </SelectField>
        <KeyField value={filters.apiKeyId} onChange={(apiKeyId) => change({ apiKeyId })} />
        <UserField value={filters.userId} onChange={(userId) => change({ userId })} />
        <SelectField label="Success" value={filters.grade} onChange={(grade) => change({ grade })}>
          <option value="">Any</option>
          <Options of={Object.entries(GRADES).map(([grade, { text }]) => [grade, text])} />
        </SelectField>
        <TextField label="From" type="datetime-local" value={filters.from} onInput={(from) => change({ from })} />
        <TextField label="Until" type="datetime-local" value={filters.to} onInput={(to) => change({ to })} />
      </div>
    </details>
  );
}

/** Versions of one persona, the newest. */
function VersionField(props: { personaId: string; value: string; onChange: (version: string) => void }) {
  const { personaId } = props;
  const versions = useLoaded(`versions of sessions ${personaId}`, () => listVersions(personaId, 1));
  return (
    <SelectField label="Version" value={props.value} onChange={props.onChange}>
      <option value="">Any</option>
      <option value="0">The draft</option>
      {versions.state === 'ready' &&
        versions.value.data.map(({ number, note }) => (
          <option key={number} value={String(number)}>
            {note === '' ? number : `${number}: ${note.slice(0, 40)}`}
          </option>
        ))}
    </SelectField>
  );
}

/** Absent where the console may not see keys. */
function KeyField(props: { value: string; onChange: (id: string) => void }) {
  const keys = useLoaded('api keys of sessions', listApiKeys);
  if (keys.state !== 'ready') return null;
  return (
    <SelectField label="API key" value={props.value} onChange={props.onChange}>
      <option value="">Any</option>
      <Options of={keys.value.data.map(({ id, name }) => [id, name])} />
    </SelectField>
  );
}

/** Absent where the console may not see users, or there are none. */
function UserField(props: { value: string; onChange: (id: string) => void }) {
  const users = useLoaded('users of sessions', listUsers);
  if (users.state !== 'ready' || users.value.length === 0) return null;
  return (
    <SelectField label="User" value={props.value} onChange={props.onChange}>
      <option value="">Any</option>
      <Options of={users.value.map(({ id, name }) => [id, name])} />
    </SelectField>
  );
}
