import { Component, type ComponentChildren } from 'preact';
import { fragmentOf } from '../state/place.ts';
import { Notice } from './notice.tsx';

interface ViewErrorsProps {
  /** The URL fragment. When it changes, the error message disappears and the new view is shown. */
  readonly address: string;
  readonly children: ComponentChildren;
}

/** Shows an error message instead of a view that throws an error. The rest of the page stays usable. */
export class ViewErrors extends Component<ViewErrorsProps, { readonly failedAt?: string }> {
  override componentDidCatch(error: unknown): void {
    this.setState({ failedAt: this.props.address });
    reportError(error);
  }

  render({ address, children }: ViewErrorsProps, { failedAt }: { readonly failedAt?: string }) {
    if (failedAt !== address) return children;
    return (
      <>
        <h1 tabIndex={-1}>This view cannot be shown</h1>
        <Notice kind="wrong" title="The page has an error.">
          Report it with the address of this page. <a href={fragmentOf('nodes')}>Show all nodes</a>
        </Notice>
      </>
    );
  }
}
