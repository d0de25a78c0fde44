/** The browser version of `modules.ts`. The bundler omits unused libraries. */
import * as jsYamlModule from 'js-yaml';
import * as yamlModule from 'yaml';
import * as zodModule from './zod.ts';

export const zod = (): typeof zodModule => zodModule;
export const yaml = (): typeof yamlModule => yamlModule;
export const jsYaml = (): typeof jsYamlModule => jsYamlModule;
