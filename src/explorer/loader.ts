/**
 * What comes first in the page's script: parts of the page are defined by scripts, and scripts are loaded by their names,
 * from the folder of this one. Modules would do all that, but browsers load none from a folder.
 */
import { lazily } from '../core/platform/on-demand.ts';

type Parts = Record<string, unknown>;

declare global {
  interface Window {
    gridpress: {
      /** Called by each script: makes a part of those that were there before it. */
      part: (name: string, make: (parts: Parts) => unknown) => void;
      /** The part that a script beside this one defines. */
      load: (name: string) => Promise<unknown>;
    };
    trustedTypes?: TrustedTypeFactory;
  }
  interface TrustedTypeFactory {
    createPolicy: (
      name: string,
      rules: { createScriptURL: (url: string) => string },
    ) => { createScriptURL: (url: string) => string };
  }
}

const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : '';
/** Only the URLs of scripts beside this one may become scripts. */
const rules = { createScriptURL: (name: string) => new URL(`${name.replace(/\W/g, '')}.js`, script).href };
const policy = lazily(() => window.trustedTypes?.createPolicy('gridpress', rules) ?? rules);
const parts: Parts = {};

window.gridpress = {
  part: (name, make) => {
    parts[name] = make(parts);
  },
  load: (name) =>
    new Promise((resolve, reject) => {
      const element = document.createElement('script');
      element.onload = () => resolve(parts[name]);
      element.onerror = () => reject(new Error(`${name} could not be loaded`));
      element.src = policy().createScriptURL(name);
      document.head.append(element);
    }),
};
