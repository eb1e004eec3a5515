import { useState } from 'preact/hooks';
import { TextField } from '../../components/fields.tsx';
import { FailedWork } from '../../components/notice.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { useFormWork } from '../../state/form-work.ts';
import { type Passage, searchGroup } from './knowledge-api.ts';

/** What the persona would find for a question. */
export function SearchPreview({ groupId }: { groupId: string }) {
  const [query, setQuery] = useState('');
  const [passages, setPassages] = useState<readonly Passage[] | null>(null);
  const form = useFormWork();
  return (
    <RequestForm
      form={form}
      onlyReads
      class="card padded stack"
      aria-label="Search"
      onSend={async () => setPassages(await searchGroup(groupId, query))}
    >
      <div>
        <h2>Try a question</h2>
        <p class="muted small">These passages are what a persona reads before it answers.</p>
      </div>
      <TextField
        label="Question"
        path="query"
        required
        maxLength={2000}
        placeholder="When is breakfast?"
        value={query}
        onInput={setQuery}
      />
      <div>
        <button class="button" type="submit" aria-disabled={form.work.state === 'running'}>
          Search
        </button>
      </div>
      <FailedWork work={form.work} />
      {passages !== null && (
        <div role="status">
          {passages.length === 0 && <p class="muted">Nothing was found. The documents may not be read yet.</p>}
          {passages.map((passage) => (
            <article key={`${passage.documentId} ${passage.chunkIndex}`} class="passage">
              <div class="row small">
                <strong>{passage.filename}</strong>
                <span class="badge">{Math.round(passage.score * 100)} %</span>
              </div>
              <p>{passage.content}</p>
            </article>
          ))}
        </div>
      )}
    </RequestForm>
  );
}
