/** Putting nodes that were read whole into columns. */
import type { NodeState } from '../../core/lock/lock-format.ts';
import { type NodeSurvey, type PlacedBody, surveyBodies } from '../../core/table/node-survey.ts';

/** All that is asked of nodes whose bodies are at hand. */
export function surveyOf(nodes: readonly NodeState[]): NodeSurvey {
  return surveyBodies(placed(nodes), 'nothing');
}

function* placed(nodes: readonly NodeState[]): Generator<PlacedBody> {
  for (const { path, uid, body } of nodes) {
    const [, site = '', , cluster = ''] = path.split('/');
    yield { site, cluster, uid, json: JSON.stringify(body) };
  }
}
