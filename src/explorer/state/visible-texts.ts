import { options } from 'preact';
import { visible } from '../fleet/visible.ts';

const TEXTS = ['title', 'aria-label', 'data-title', 'label'];

/**
 * Makes invisible characters of every text and tooltip visible, even if a view forgets to call `visible`. The types of
 * Preact cannot ensure this, because a child can be any string or object.
 */
export function makeTextsVisible(): void {
  options.vnode = (vnode) => {
    // Preact creates a node without a type for each text. The properties of this node are the text itself.
    const { props, type }: { readonly props: unknown; readonly type: unknown } = vnode;
    if (typeof props === 'string') Object.assign(vnode, { props: shown(props) });
    else if (typeof type === 'string')
      for (const name of TEXTS) {
        const text: unknown = Reflect.get(vnode.props, name);
        if (typeof text === 'string') Reflect.set(vnode.props, name, shown(text));
      }
  };
}

function shown(text: string): string {
  return text.split('\n').map(visible).join('\n');
}
