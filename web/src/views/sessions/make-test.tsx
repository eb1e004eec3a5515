import { useState } from 'preact/hooks';
import { FailedWork } from '../../components/notice.tsx';
import { useWork } from '../../state/work.ts';
import { testFromSession } from '../persona-tests/test-api.ts';

/** Makes a test of a session with a saved persona, by one click. */
export function MakeTest({ sessionId, personaId }: { sessionId: string; personaId: string }) {
  const [made, setMade] = useState(false);
  const { work, run } = useWork();
  if (made)
    return (
      <a class="button" href={`#/personas/${encodeURIComponent(personaId)}/tests`}>
        See the test
      </a>
    );
  return (
    <>
      <FailedWork work={work} />
      <button
        class="button"
        type="button"
        disabled={work.state === 'running'}
        onClick={() =>
          void run(async () => {
            await testFromSession(personaId, sessionId);
            setMade(true);
          })
        }
      >
        Make a test of it
      </button>
    </>
  );
}
