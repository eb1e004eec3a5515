import type { Loaded } from '../state/load.ts';
import { Icon, type IconName } from './icon.tsx';
import { useBlocked } from './permission.tsx';
import { PageHead, type Row, Rows, Shown } from './page.tsx';

/** A view that lists what there is, with a button that makes a new one. `empty` stands in the place of an empty list. */
export function ListPage<T>(props: {
  title: string;
  text: string;
  icon: IconName;
  make: { readonly label: string; readonly href: string };
  loaded: Loaded<T> & { readonly again: () => void };
  rows: (value: T) => readonly Row[];
  empty: string;
}) {
  const blocked = useBlocked();
  return (
    <main class="page">
      <PageHead title={props.title} text={props.text}>
        {blocked === null && (
          <a class="button primary" href={props.make.href}>
            <Icon name="plus" />
            {props.make.label}
          </a>
        )}
      </PageHead>
      <Shown loaded={props.loaded}>
        {(value) => <Rows rows={props.rows(value)} icon={props.icon} empty={props.empty} />}
      </Shown>
    </main>
  );
}
