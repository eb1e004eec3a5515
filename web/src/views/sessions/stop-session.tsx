import { FailedWork } from '../../components/notice.tsx';
import { stopSession } from '../../api/routes.ts';
import { useWork } from '../../state/work.ts';

/** Ends a conversation that is going on. */
export function StopSession({ id, name, onStopped }: { id: string; name: string; onStopped: () => void }) {
  const { work, run } = useWork();
  return (
    <>
      <button
        class="button"
        type="button"
        disabled={work.state === 'running'}
        onClick={() => {
          if (confirm(`End the conversation with ${name}? Its user is told that it was stopped.`))
            void run(async () => {
              await stopSession(id);
              onStopped();
            });
        }}
      >
        Stop<span class="visually-hidden"> the conversation with {name}</span>
      </button>
      <FailedWork work={work} />
    </>
  );
}
