/** In a browser: what `modules.ts` loads when it is first asked for. A page's bundler leaves out what nobody asks for. */
import * as jsYamlModule from 'js-yaml';
import * as yamlModule from 'yaml';
import { z } from 'zod';

export const zod = (): typeof z => z;
export const yaml = (): typeof yamlModule => yamlModule;
export const jsYaml = (): typeof jsYamlModule => jsYamlModule;
