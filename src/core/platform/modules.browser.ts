/** The browser version of `modules.ts`. The bundler omits unused libraries. */
import * as jsYamlModule from 'js-yaml';
import * as yamlModule from 'yaml';
import { z } from 'zod';

export const zod = (): typeof z => z;
export const yaml = (): typeof yamlModule => yamlModule;
export const jsYaml = (): typeof jsYamlModule => jsYamlModule;
