import { ChangeButton } from '../../components/permission.tsx';
import { useEffect, useState } from 'preact/hooks';
import type { Persona } from '../../api/types.ts';
import { ApiError } from '../../api/client.ts';
import { updatePersona } from '../../api/routes.ts';
import { CheckField } from '../../components/fields.tsx';
import { Icon } from '../../components/icon.tsx';
import { FailedWork } from '../../components/notice.tsx';
import { Shown } from '../../components/page.tsx';
import { deletedIds, deleteSoon } from '../../state/deletion.ts';
import { useLoaded } from '../../state/load.ts';
import { saveFile } from '../../state/save-file.ts';
import { useWork } from '../../state/work.ts';
import { ResultView } from './result-view.tsx';
import {
  cancelRun,
  deleteTest,
  getJunit,
  getRun,
  listRuns,
  listTests,
  type PersonaTest,
  startRunOf,
  type TestRun,
} from './test-api.ts';
import { TestDialog } from './test-dialog.tsx';

/** How often a run that goes on is looked at. */
const LOOK_MS = 500;

/** The tests of a persona, and what came of their last run. */
export function TestList({ persona, hasDraft }: { persona: Persona; hasDraft: boolean }) {
  const [opened, setOpened] = useState<PersonaTest | 'new' | null>(null);
  const [run, setRun] = useState<TestRun | null>(null);
  const { work, run: doing } = useWork();
  const tests = useLoaded(`tests ${persona.id}`, async () => {
    const [all, runs] = await Promise.all([listTests(persona.id), listRuns(persona.id)]);
    const last = runs.data[0];
    if (last === undefined) return all;
    const kept = await getRun(persona.id, last.id);
    // Somebody may have begun another one meanwhile.
    setRun((now) => now ?? kept);
    return all;
  });
  const isRunning = useRunning(persona.id, run, setRun);

  const start = (version: TestRun['version']): void =>
    void doing(async () => setRun({ ...(await startRunOf(persona.id, version)), results: [] }));

  const remove = (test: PersonaTest): void =>
    deleteSoon([test.id], `The test “${test.name}”`, async () => {
      await deleteTest(persona.id, test.id);
      tests.again();
    });

  return (
    <>
      <p class="muted">
        A test is a conversation that has to come out right. In text it takes moments, in sound as long as a call. No
        tool is really called.
      </p>
      <Buttons
        hasDraft={hasDraft}
        isRunning={isRunning}
        hasTests={tests.state !== 'ready' || tests.value.length > 0}
        onNew={() => setOpened('new')}
        onDraft={() => start('draft')}
        onLive={() => start(persona.version)}
      />
      <FailedWork work={work} />
      {run !== null && <RunHead persona={persona} run={run} onLook={setRun} />}
      <Shown loaded={tests}>
        {(all) => <Tests persona={persona} tests={all} run={run} onChange={setOpened} onDelete={remove} />}
      </Shown>
      {opened !== null && (
        <TestDialog
          personaId={persona.id}
          test={opened === 'new' ? null : opened}
          onClose={() => setOpened(null)}
          onSaved={() => {
            setOpened(null);
            tests.again();
          }}
        />
      )}
    </>
  );
}

/** Looks at a run until it is over. @returns whether it goes on. */
function useRunning(personaId: string, run: TestRun | null, onLook: (run: TestRun) => void): boolean {
  const isRunning = run !== null && (run.status === 'queued' || run.status === 'running');
  useEffect(() => {
    if (!isRunning) return;
    let wanted = true;
    const look = (): Promise<void> =>
      getRun(personaId, run.id).then(
        (now) => {
          if (wanted) onLook(now);
        },
        () => {},
      );
    const timer = setInterval(() => void look(), LOOK_MS);
    return () => {
      wanted = false;
      clearInterval(timer);
    };
  }, [isRunning, run?.id]);
  return isRunning;
}

function Buttons(props: {
  hasDraft: boolean;
  isRunning: boolean;
  hasTests: boolean;
  onNew: () => void;
  onDraft: () => void;
  onLive: () => void;
}) {
  const { hasDraft, isRunning } = props;
  return (
    <div class="row">
      <ChangeButton class="button" onClick={props.onNew}>
        <Icon name="plus" />
        New test
      </ChangeButton>
      {hasDraft && (
        <ChangeButton class="button primary" disabled={isRunning} onClick={props.onDraft}>
          Test the draft
        </ChangeButton>
      )}
      <ChangeButton
        class={hasDraft ? 'button' : 'button primary'}
        disabled={isRunning || !props.hasTests}
        onClick={props.onLive}
      >
        Test what is live
      </ChangeButton>
    </div>
  );
}

function NoTests() {
  return (
    <div class="card empty">
      <Icon name="list" />
      <p>There are no tests yet. Make one here, or of a conversation in Sessions.</p>
    </div>
  );
}

interface TestsProps {
  readonly tests: readonly PersonaTest[];
  readonly run: TestRun | null;
  readonly onChange: (test: PersonaTest) => void;
  readonly onDelete: (test: PersonaTest) => void;
}

/** What stands below the list comes with it: it was moved under the pointer when the list came. */
function Tests({ persona, ...list }: TestsProps & { persona: Persona }) {
  return (
    <>
      <Rows {...list} />
      <Requirement persona={persona} />
    </>
  );
}

function Rows(props: TestsProps) {
  const shown = props.tests.filter(({ id }) => !deletedIds.value.has(id));
  if (shown.length === 0) return <NoTests />;
  return (
    <ul class="card rows persona-tests">
      {shown.map((test) => (
        <TestRow
          key={test.id}
          test={test}
          run={props.run}
          onChange={() => props.onChange(test)}
          onDelete={() => props.onDelete(test)}
        />
      ))}
    </ul>
  );
}

function RunHead({ persona, run, onLook }: { persona: Persona; run: TestRun; onLook: (run: TestRun) => void }) {
  const { work, run: doing } = useWork();
  const isOver = run.status !== 'queued' && run.status !== 'running';
  const isGood = run.status === 'passed';
  const cancel = (): void =>
    void doing(async () => {
      // It may have ended in this moment: what has become of it is shown then.
      await cancelRun(persona.id, run.id).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.status === 409)) throw error;
      });
      onLook(await getRun(persona.id, run.id));
    });
  return (
    <div class="row run-head">
      <p role="status">
        {runText(run)}{' '}
        {isOver && (
          <span class={run.status === 'cancelled' ? 'badge' : `badge ${isGood ? 'good' : 'bad'}`}>{run.status}</span>
        )}
      </p>
      {!isOver && (
        <button class="button quiet" type="button" disabled={work.state === 'running'} onClick={cancel}>
          Cancel the run
        </button>
      )}
      {isOver && (
        <button
          class="button quiet"
          type="button"
          onClick={() =>
            void doing(async () => saveFile('junit.xml', xmlFile((await getJunit(persona.id, run.id)).xml)))
          }
        >
          JUnit XML
        </button>
      )}
      <FailedWork work={work} />
    </div>
  );
}

const xmlFile = (text: string): Blob => new Blob([text], { type: 'application/xml' });

function runText({ version, status, passed, failed, total }: TestRun): string {
  const what = version === 'draft' ? 'The draft' : `Version ${version}`;
  const done = passed + failed;
  if (status === 'queued' || status === 'running') return `${what}: ${done} of ${total} done…`;
  if (status === 'cancelled') return `${what}: cancelled when ${done} of ${total} were done.`;
  // The service was stopped meanwhile, or an error ended the run.
  if (done < total) return `${what}: broke off when ${done} of ${total} were done. Test it again.`;
  return `${what}: ${passed} passed, ${failed} failed.`;
}

function TestRow(props: { test: PersonaTest; run: TestRun | null; onChange: () => void; onDelete: () => void }) {
  const { test, run } = props;
  const result = run?.results.find(({ testId }) => testId === test.id) ?? null;
  return (
    <li class="test-row">
      <div class="row-line">
        <span class="what">
          <strong>{test.name}</strong>
          <span class="muted small">
            {test.audio !== undefined && 'In sound · '}
            {test.user.kind === 'lines' ? test.user.lines.join(' · ') : test.user.goal}
          </span>
        </span>
        {result !== null && (
          <span class={`badge ${result.passed ? 'good' : 'bad'}`}>{result.passed ? 'passed' : 'failed'}</span>
        )}
        <button class="button" type="button" onClick={props.onChange}>
          Change<span class="visually-hidden"> {test.name}</span>
        </button>
        <ChangeButton class="button quiet icon-only" aria-label={`Delete ${test.name}`} onClick={props.onDelete}>
          <Icon name="trash" />
        </ChangeButton>
      </div>
      {result !== null && <ResultView result={result} />}
    </li>
  );
}

/** Whether drafts have to pass. It is no part of a version, so it counts at once. */
function Requirement({ persona }: { persona: Persona }) {
  const [required, setRequired] = useState(persona.publishingRequiresTests);
  const { work, run } = useWork();
  return (
    <div class="card padded">
      <CheckField
        label="A draft can be published only when all tests pass"
        checked={required}
        onChange={(wanted) => {
          setRequired(wanted);
          void run(async () => {
            try {
              await updatePersona(persona.id, { publishingRequiresTests: wanted });
            } catch (error) {
              setRequired(!wanted);
              throw error;
            }
          });
        }}
      />
      <FailedWork work={work} />
    </div>
  );
}
