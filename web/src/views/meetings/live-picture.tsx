import { useEffect, useState } from 'preact/hooks';
import { pictureOf } from './meeting-api.ts';

/** Time between two pictures, from the end of one request to the next. */
const PICTURE_EVERY_MS = 2_000;

/** What a persona sees in its meeting, renewed every few seconds. */
export function LivePicture({ id, name }: { id: string; name: string }) {
  const [source, setSource] = useState<string | null>(null);
  useEffect(() => {
    let shown: string | null = null;
    let wanted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function renew(): Promise<void> {
      // A picture that does not come is tried again: the list reports a service that cannot be reached.
      const picture = await pictureOf(id).catch(() => null);
      if (!wanted) return;
      if (picture !== null) {
        const before = shown;
        shown = URL.createObjectURL(picture);
        setSource(shown);
        if (before !== null) URL.revokeObjectURL(before);
      }
      timer = setTimeout(() => void renew(), PICTURE_EVERY_MS);
    }
    void renew();
    return () => {
      wanted = false;
      clearTimeout(timer);
      if (shown !== null) URL.revokeObjectURL(shown);
    };
  }, [id]);

  if (source === null)
    return (
      <div class="meeting-picture waiting" role="status">
        <span>Nothing to see yet</span>
      </div>
    );
  return <img class="meeting-picture" src={source} alt={`What ${name} sees in the meeting`} />;
}
