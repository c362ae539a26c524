import type { Impostor } from '../impostor.js';
import { grpcMasks } from './grpc.js';
import { httpJsonMasks } from './http-json.js';
import { masks } from './masks.js';
import { strangers } from './strangers.js';

/** All impostors. */
export const impostors: readonly Impostor[] = [...strangers, ...masks, ...httpJsonMasks, ...grpcMasks];
