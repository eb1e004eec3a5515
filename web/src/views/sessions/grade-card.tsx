import { ChangeButton } from '../../components/permission.tsx';
import type { SessionSummary } from '../../api/types.ts';
import { FailedWork, Notice } from '../../components/notice.tsx';
import { Shown } from '../../components/page.tsx';
import { useLoaded, useLoadedAgain } from '../../state/load.ts';
import { useWork } from '../../state/work.ts';
import { getGrade, gradeAgain, type SessionGrade } from './grade-api.ts';
import { GRADES, moment } from './wording.ts';

/** How often a grade that is being made is looked at, ms. */
const LOOK_MS = 2_000;

/** What the LLM says of a conversation that is over. */
export function GradeCard({ session }: { session: SessionSummary }) {
  const grade = useLoaded(`grade ${session.id}`, () => getGrade(session.id));
  const { work, run } = useWork();
  const isPending = grade.state === 'ready' && grade.value?.grade === 'pending';
  useLoadedAgain(grade, LOOK_MS, isPending);
  if (session.endTime === null || session.personaId === null) return null;
  return (
    <section class="card padded stack">
      <div class="row between">
        <h2>After the call</h2>
        {grade.state === 'ready' && (
          <ChangeButton
            class="button"
            disabled={work.state === 'running' || isPending}
            onClick={() =>
              void run(async () => {
                await gradeAgain(session.id);
                grade.again();
              })
            }
          >
            {grade.value === null ? 'Grade it' : 'Grade it again'}
          </ChangeButton>
        )}
      </div>
      <FailedWork work={work} />
      <Shown loaded={grade}>
        {(value) =>
          value === null ? (
            <p class="muted">
              The persona asked for no summary and no grade. Its editor has them under <em>After the call</em>.
            </p>
          ) : (
            <GradeText grade={value} />
          )
        }
      </Shown>
    </section>
  );
}

function GradeText({ grade }: { grade: SessionGrade }) {
  const { text, tone } = GRADES[grade.grade];
  const fields = Object.entries(grade.fields ?? {});
  return (
    <>
      <div class="row" role="status">
        <span class={`badge ${tone}`}>{text}</span>
        {grade.gradedAt !== null && <span class="muted small">{moment(grade.gradedAt)}</span>}
      </div>
      {grade.problem !== null && (
        <Notice tone="bad">
          <span>
            {grade.problem}
            {grade.nextAttemptAt !== null && ` It is tried again at ${moment(grade.nextAttemptAt)}.`}
          </span>
        </Notice>
      )}
      {grade.summary !== null && <p>{grade.summary}</p>}
      {grade.criteria.length > 0 && (
        <ul class="verdicts">
          {grade.criteria.map(({ name, passed, why }) => (
            <li key={name}>
              <span class={`badge ${passed === null ? '' : passed ? 'good' : 'bad'}`}>
                {passed === null ? 'Unclear' : passed ? 'Yes' : 'No'}
              </span>
              <span>
                <strong>{name}</strong>
                {why !== null && why !== '' && <span class="muted small"> {why}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
      {fields.length > 0 && (
        <dl class="extracted">
          {fields.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
