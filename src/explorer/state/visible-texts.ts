import { options } from 'preact';
import { visible } from '../fleet/visible.ts';

/** Preact also creates a node for each text. The properties of this node are the text itself. */
interface CreatedNode {
  props: string | Record<string, unknown>;
}

/**
 * Makes invisible characters of every text and tooltip visible, even if a view forgets to call `visible`. The types of
 * Preact cannot ensure this, because a child can be any string or object.
 */
export function makeTextsVisible(): void {
  options.vnode = (node: CreatedNode) => {
    const { props } = node;
    if (typeof props === 'string') node.props = visible(props);
    else
      for (const name of ['title', 'aria-label']) {
        const text = props[name];
        if (typeof text === 'string') props[name] = visible(text);
      }
  };
}
