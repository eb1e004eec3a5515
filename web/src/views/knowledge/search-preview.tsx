import { useState } from 'preact/hooks';
import { TextField } from '../../components/fields.tsx';
import { Notice } from '../../components/notice.tsx';
import { useWork } from '../../state/work.ts';
import { type Passage, searchGroup } from './knowledge-api.ts';

/** What the persona would find for a question. */
export function SearchPreview({ groupId }: { groupId: string }) {
  const [query, setQuery] = useState('');
  const [passages, setPassages] = useState<readonly Passage[] | null>(null);
  const { work, run } = useWork();
  return (
    <form
      class="card padded stack"
      aria-label="Search"
      onSubmit={(event) => {
        event.preventDefault();
        void run(async () => setPassages(await searchGroup(groupId, query)));
      }}
    >
      <div>
        <h2>Try a question</h2>
        <p class="muted small">These passages are what a persona reads before it answers.</p>
      </div>
      <TextField
        label="Question"
        required
        maxLength={2000}
        placeholder="When is breakfast?"
        value={query}
        onInput={setQuery}
      />
      <div>
        <button class="button" type="submit" disabled={work.state === 'running'}>
          Search
        </button>
      </div>
      {work.state === 'failed' && (
        <Notice bad>
          <span>{work.message}</span>
        </Notice>
      )}
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
    </form>
  );
}
