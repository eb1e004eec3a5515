import { ChangeButton } from '../../components/permission.tsx';
import { FailedWork } from '../../components/notice.tsx';
import { stopSession } from '../../api/routes.ts';
import { confirm } from '../../state/confirm.ts';
import { useWork } from '../../state/work.ts';

/** Ends a conversation that is going on. */
export function StopSession({ id, name, onStopped }: { id: string; name: string; onStopped: () => void }) {
  const { work, run } = useWork();
  return (
    <>
      <ChangeButton
        class="button"
        disabled={work.state === 'running'}
        onClick={() =>
          void run(async () => {
            const text = 'Its user is told that it was stopped.';
            if (!(await confirm({ title: `End the conversation with ${name}?`, text, yes: 'End it' }))) return;
            await stopSession(id);
            onStopped();
          })
        }
      >
        Stop<span class="visually-hidden"> the conversation with {name}</span>
      </ChangeButton>
      <FailedWork work={work} />
    </>
  );
}
