import { BlockedNotice, ChangeButton } from '../components/permission.tsx';
import { useState } from 'preact/hooks';
import { sentenceOf } from '../api/problem.ts';
import { deleteVideo, listAvatars, listVideos, listVoices, orderVideo } from '../api/routes.ts';
import type { Avatar, AvatarVideo, Voice } from '../api/types.ts';
import { SelectField, TextField } from '../components/fields.tsx';
import { Icon } from '../components/icon.tsx';
import { FailedWork, LoadFailed, Notice } from '../components/notice.tsx';
import { RequestForm, SubmitButton } from '../components/request-form.tsx';
import { useFormWork } from '../state/form-work.ts';
import { useLoaded, useLoadedAgain } from '../state/load.ts';
import { duration, moment } from './sessions/wording.ts';
import { Options } from '../components/options.tsx';

/** How often the service is asked for the progress while it makes a video. */
const ASK_EVERY_MS = 1_500;
const MAX_SCRIPT = 10_000;

/** Videos of a face that speaks a script: order one, watch it, delete it. */
export function Videos() {
  const choices = useLoaded('choices', async () => {
    const [avatars, voices] = await Promise.all([listAvatars(), listVoices()]);
    return { avatars: avatars.data, voices: voices.data };
  });
  const videos = useLoaded('videos', listVideos);
  const atWork = videos.state === 'ready' && videos.value.data.some(isAtWork);
  useLoadedAgain(videos, ASK_EVERY_MS, atWork);

  return (
    <main class="page">
      <header class="page-head">
        <div>
          <h1>Videos</h1>
          <p>
            Write what a face should say and get a video of it. Conversations come first; videos are made beside them.
          </p>
        </div>
      </header>
      <BlockedNotice />
      <div class="columns">
        {choices.state === 'failed' && (
          <LoadFailed message={choices.message} error={choices.error} again={choices.again} />
        )}
        {choices.state === 'loading' && <div class="skeleton" style={{ height: '20rem' }} aria-busy="true" />}
        {choices.state === 'ready' && <Order {...choices.value} onOrdered={videos.again} />}
        <div class="stack">
          {videos.state === 'failed' && (
            <LoadFailed message={videos.message} error={videos.error} again={videos.again} />
          )}
          {videos.state === 'loading' && <div class="skeleton" style={{ height: '20rem' }} aria-busy="true" />}
          {videos.state === 'ready' && videos.value.data.length === 0 && (
            <div class="card empty">
              <Icon name="film" />
              <p>There are no videos yet. The first one appears here while it is being made.</p>
            </div>
          )}
          {videos.state === 'ready' &&
            videos.value.data.map((video) => <Video key={video.id} video={video} onChanged={videos.again} />)}
        </div>
      </div>
    </main>
  );
}

function Order({
  avatars,
  voices,
  onOrdered,
}: {
  avatars: readonly Avatar[];
  voices: readonly Voice[];
  onOrdered: () => void;
}) {
  const [order, setOrder] = useState({ script: '', avatarId: avatars[0]?.id ?? '', voiceId: voices[0]?.id ?? '' });
  const form = useFormWork();

  async function onSend(): Promise<void> {
    await orderVideo(order);
    setOrder({ ...order, script: '' });
    onOrdered();
  }

  return (
    <RequestForm form={form} class="card padded stack" onSend={onSend}>
      <TextField
        label="Script"
        path="script"
        required
        lines={6}
        maxLength={MAX_SCRIPT}
        value={order.script}
        placeholder="Welcome to our hotel. Breakfast is served from seven to ten."
        onInput={(script) => setOrder({ ...order, script })}
      />
      <div class="pair">
        <SelectField
          label="Face"
          path="avatarId"
          value={order.avatarId}
          onChange={(avatarId) => setOrder({ ...order, avatarId })}
        >
          <Options of={avatars.map(({ id, displayName }) => [id, displayName])} />
        </SelectField>
        <SelectField
          label="Voice"
          path="voiceId"
          value={order.voiceId}
          onChange={(voiceId) => setOrder({ ...order, voiceId })}
        >
          <Options of={voices.map(({ id, displayName }) => [id, displayName])} />
        </SelectField>
      </div>
      <FailedWork work={form.work} />
      <div>
        <SubmitButton form={form}>Make the video</SubmitButton>
      </div>
    </RequestForm>
  );
}

const STATES: Readonly<Record<AvatarVideo['status'], string>> = {
  queued: 'Waiting',
  processing: 'Being made',
  completed: 'Ready',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

function isAtWork({ status }: AvatarVideo): boolean {
  return status === 'queued' || status === 'processing';
}

function Video({ video, onChanged }: { video: AvatarVideo; onChanged: () => void }) {
  const [problem, setProblem] = useState<string | null>(null);

  async function onDelete(): Promise<void> {
    try {
      await deleteVideo(video.id);
      onChanged();
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  }

  return (
    <article class="card video-card">
      {video.videoUrl !== null && (
        <video class="recording" src={video.videoUrl} controls preload="metadata" playsInline />
      )}
      {isAtWork(video) && (
        <progress max={1} value={video.status === 'queued' ? undefined : video.progress} aria-label="Progress" />
      )}
      <p class="script">{video.script}</p>
      {video.errorMessage !== null && (
        <Notice tone="bad">
          <span>{video.errorMessage}</span>
        </Notice>
      )}
      {problem !== null && (
        <Notice tone="bad">
          <span>{problem}</span>
        </Notice>
      )}
      <div class="row">
        <span class={video.status === 'failed' ? 'badge bad' : 'badge'}>{STATES[video.status]}</span>
        <span class="muted small number">
          {[moment(video.createdAt), video.durationSeconds === null ? null : duration(video.durationSeconds * 1000)]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <span class="row end">
          {video.videoUrl !== null && (
            <a class="button quiet" href={video.videoUrl} download>
              Download
            </a>
          )}
          <ChangeButton class="button quiet" onClick={() => void onDelete()}>
            {isAtWork(video) ? 'Cancel' : 'Delete'}
          </ChangeButton>
        </span>
      </div>
    </article>
  );
}
